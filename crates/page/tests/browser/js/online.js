// What tests of online play ask the page.
Object.assign(tests, {
  inviteToken: () => document.querySelector("#invite-link").value.split("#/join/")[1],
  fill: (selector, text) => {
    document.querySelector(selector).value = text;
  },
  isElsewhere: (fragment) => location.hash.startsWith("#/match/") && location.hash !== fragment,
});
