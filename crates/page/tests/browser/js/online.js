// What tests of online play ask the page.
Object.assign(tests, {
  inviteToken: () => document.querySelector("#invite-link").value.split("#/join/")[1],
  fill: (selector, text) => {
    document.querySelector(selector).value = text;
  },
  // As the mouse does it: the second click knows that it is one.
  doubleClick: (selector) => {
    const button = document.querySelector(selector);
    for (const detail of [1, 2]) {
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
    }
  },
  clickTwice: (selector) => {
    const button = document.querySelector(selector);
    button.click();
    button.click();
  },
  // What can't be seen of the elements that are shown.
  offScreen: (selector) =>
    [...document.querySelectorAll(selector)]
      .filter((e) => e.checkVisibility())
      .filter((e) => {
        const r = e.getBoundingClientRect();
        return r.top < 0 || r.left < 0 || r.bottom > innerHeight + 1 || r.right > innerWidth + 1;
      })
      .map((e) => e.id || e.className),
  titleBegins: (text) => document.title.startsWith(text),
  isCutOff: () => document.querySelector(".mirror")?.dataset.online !== "connected",
  goBack: () => history.back(),
  isAt: (fragment) => location.hash === fragment,
  isElsewhere: (fragment) => location.hash.startsWith("#/match/") && location.hash !== fragment,
});
