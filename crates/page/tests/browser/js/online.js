// What tests of online play ask the page.
Object.assign(tests, {
  inviteToken: () => document.querySelector("#invite-link").value.split("#/join/")[1],
  isElsewhere: (fragment) => location.hash.startsWith("#/match/") && location.hash !== fragment,
});
