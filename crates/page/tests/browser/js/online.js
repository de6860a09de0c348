// What tests of online play ask the page.
Object.assign(tests, {
  inviteToken: () => document.querySelector("#invite-link").value.split("#/join/")[1],
  // Clicks on something if it is there and can be pressed. Gives whether it was.
  press: (selector) => {
    const found = document.querySelector(`${selector}:not(:disabled)`);
    found?.click();
    return Boolean(found);
  },
  // From now on nothing arrives that the server sends.
  hearNothing: () => Object.defineProperty(WebSocket.prototype, "onmessage", { set() {} }) && true,
  // The server answers the next searches with these refusals, or not at all; then as usual.
  refuseSearches: (refusals) => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
      const { t, id } = JSON.parse(text);
      if (t !== "seek" || refusals.length === 0) return send.call(this, text);
      const why = refusals.shift();
      const data = JSON.stringify({ t: "no", id, why });
      if (why) setTimeout(() => this.onmessage?.(new MessageEvent("message", { data })));
    };
  },
  // Keeps notifications from the system, and counts them.
  catchNotifications: () => {
    const shown = [];
    const note = (title, { body }) => shown.push([title, body]);
    ServiceWorkerRegistration.prototype.showNotification = async (...args) => note(...args);
    globalThis.Notification = class {
      constructor(...args) {
        note(...args);
      }
    };
    tests.notifications = () => shown;
  },
  hasNotification: () => tests.notifications().length > 0,
  pressEach: (selectors) => selectors.forEach((it) => document.querySelector(it).click()),
  // Presses until it is sure, as one has to in order to resign, within the time there is for it.
  resign: async () => {
    if (!document.querySelector("#resign.sure")) {
      document.querySelector("#resign").click();
      await tests.nextFrame();
    }
    document.querySelector("#resign.sure").click();
  },
  // What somebody sees who waits for something that never comes.
  scene: () => {
    const { fen, online, result, busy } = document.querySelector(".mirror")?.dataset ?? {};
    const text = document.body.innerText.replace(/\s+/g, " ").slice(0, 600);
    return { at: location.hash, fen, online, result, busy, text };
  },
  // Visible texts of which a part is out of sight: cut off by a parent, or beyond the edge of
  // the screen. What can be moved sideways by hand is not.
  cutTexts: () => {
    const isText = (node) => node.nodeType === 3 && node.data.trim();
    return [...document.querySelectorAll("body *:not(.sr, .mirror *, svg *, script, style, option)")]
      .filter((e) => [...e.childNodes].some(isText))
      .filter((e) => e.checkVisibility({ visibilityProperty: true }))
      // For programs that read the screen.
      .filter((e) => !e.closest(".sr") && e.getBoundingClientRect().width > 1)
      .filter((e) => {
        const range = document.createRange();
        range.selectNodeContents(e);
        const r = range.getBoundingClientRect();
        let [left, right, top, bottom] = [0, innerWidth, -Infinity, Infinity];
        for (let p = e; p; p = p.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(p);
          const box = p.getBoundingClientRect();
          if (overflowX === "auto" || overflowX === "scroll") [left, right] = [-Infinity, Infinity];
          if (overflowX === "hidden" || overflowX === "clip") {
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
          }
          if (overflowY === "auto" || overflowY === "scroll") break;
          if (overflowY === "hidden" || overflowY === "clip") {
            [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
          }
        }
        const isCut = r.left < left - 1 || r.right > right + 1;
        return isCut || r.top < top - 2 || r.bottom > bottom + 2;
      })
      .map((e) => `${e.className || e.nodeName}: ${e.textContent.trim()}`);
  },
  // What fingers have to hit and is lower than 44 px, the least that they can be sure of; links in
  // the middle of a text are part of it.
  smallTargets: () =>
    [...document.querySelectorAll(":is(main, dialog, .app) :is(button, a[href], input, summary)")]
      .filter((e) => e.checkVisibility() && !e.closest(".mirror, .sr") && !e.matches("p *, .skip, .typed, .typed *"))
      .map((e) => [e, (e.matches("input") && e.closest("label")) || e])
      .filter(([, e]) => e.getBoundingClientRect().height < 43.5)
      .map(([e]) => e.id || e.className || e.textContent.trim()),
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
  // Two clicks on a target of the board at once: those of a busy machine come too late to be a
  // double click.
  doubleClickBoard: (id) => {
    const [clientX, clientY] = tests.middle(id);
    const canvas = document.querySelector(".board canvas");
    const rest = { clientX, clientY, bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse" };
    for (const type of ["pointerdown", "pointerup", "pointerdown", "pointerup"]) {
      const buttons = Number(type === "pointerdown");
      canvas.dispatchEvent(new PointerEvent(type, { ...rest, button: 0, buttons }));
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
  textBegins: (selector, text) => document.querySelector(selector)?.textContent.startsWith(text) === true,
  showMiddle: (selector) =>
    document.querySelector(selector).scrollIntoView({ block: "center", behavior: "instant" }),
  titleBegins: (text) => document.title.startsWith(text),
  isCutOff: () => document.querySelector(".mirror")?.dataset.online !== "connected",
  drawing: (selector) => {
    const svg = document.querySelector(selector);
    return [svg.querySelector("path").getAttribute("d"), svg.getAttribute("viewBox")];
  },
  // Notes every state of the connection that is shown, and counts sockets.
  noteConnection: () => {
    const noted = new Set();
    const look = () => {
      noted.add(document.querySelector(".mirror")?.dataset.online);
      if (document.querySelector(".oc.net, .pc.you .net.bad")) noted.add("words");
    };
    look();
    const everything = { subtree: true, childList: true, attributes: true };
    new MutationObserver(look).observe(document.body, everything);
    tests.notedConnections = () => [...noted];
    let n = 0;
    const Plain = WebSocket;
    globalThis.WebSocket = class extends Plain {
      constructor(...args) {
        super(...args);
        n += 1;
      }
    };
    tests.nSockets = () => n;
  },
  hasMoreSockets: (before) => tests.nSockets() > before,
  kept: (name) => localStorage.getItem(name),
  goBack: () => history.back(),
  isAt: (fragment) => location.hash === fragment,
  isElsewhere: (fragment) => location.hash.startsWith("#/match/") && location.hash !== fragment,
});
