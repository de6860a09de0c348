// What tests ask the page and do on it. `Chromium::call` calls these by name, with
// arguments that are JSON; every document gets them before its own scripts.
globalThis.tests ??= {};

{
  const find = (selector) => document.querySelector(selector);
  const findAll = (selector) => [...document.querySelectorAll(selector)];
  const mirror = () => find(".mirror");
  const target = (id) => find(`.mirror [data-target="${id}"]`);
  let positions = [];
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

  // The last presses, for tests that fail.
  const trail = [];
  const note = ({ type, target, clientX, clientY }) => {
    const name = target.id || target.className || target.nodeName;
    trail.push(`${Math.round(performance.now())} ${type} ${name} ${clientX} ${clientY}`);
    trail.splice(0, trail.length - 12);
  };
  for (const type of ["pointerdown", "pointerup", "pointercancel", "click"]) {
    addEventListener(type, note, true);
  }

  Object.assign(tests, {
    sleep,
    trail: () => trail,

    // Resolves once what was changed has been drawn.
    nextFrame: () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),

    click: (selector) => find(selector).click(),
    clickIfThere: (selector) => find(selector)?.click(),
    focus: (selector) => find(selector).focus(),

    has: (selector) => find(selector) !== null,
    hasNot: (selector) => find(selector) === null,
    hasOtherText: (selector, text) => find(selector).textContent !== text,
    count: (selector) => findAll(selector).length,
    text: (selector) => find(selector)?.textContent ?? "",
    texts: (selector) => findAll(selector).map((e) => e.textContent),
    attribute: (selector, name) => find(selector).getAttribute(name),
    style: (selector, property) => getComputedStyle(find(selector))[property],
    linkFragment: (selector) => find(selector).hash,

    // The day it is here, counted from 1970.
    today: () => {
      const now = new Date();
      return Math.floor((now.getTime() - now.getTimezoneOffset() * 60000) / 86400000);
    },
    // From now on the clock is so many days ahead.
    letDaysPass: (n) => {
      const now = Date.now;
      Date.now = () => now() + n * 86400000;
    },
    stored: (name) => localStorage.getItem(name),
    keep: (name, value) => localStorage.setItem(name, value),
    hasAttribute: (selector, name, value) => find(selector)?.getAttribute(name) === value,
    isShown: (selector) => find(selector)?.checkVisibility() ?? false,

    isReady: () => document.documentElement?.dataset.ready === "true",
    title: () => document.title,
    root: () => {
      const { lang, dataset } = document.documentElement;
      return { lang, theme: dataset.theme };
    },
    fragment: () => location.hash,
    goTo: (fragment) => {
      location.hash = fragment;
    },

    // The element with the focus.
    focused: () => {
      const { id, className, dataset } = document.activeElement;
      return { id, className, target: dataset.target };
    },
    isFocusInside: (selector) => Boolean(document.activeElement?.closest(selector)),
    isFocusOnScreen: () => document.activeElement.getBoundingClientRect().top >= 0,
    isFocusOnTarget: (id) => document.activeElement.dataset.target === id,

    // The mirror of the board.
    data: (name) => mirror().dataset[name] ?? "",
    hasData: (name, value) => mirror()?.dataset[name] === value,
    // Notes the positions that the board shows from now on.
    watchPositions: () => {
      positions = [];
      const look = () => {
        const fen = mirror()?.dataset.fen;
        if (fen && fen !== positions.at(-1)) positions.push(fen);
        requestAnimationFrame(look);
      };
      look();
    },
    positions: () => positions,
    hasPositions: (n) => positions.length >= n,
    clickTarget: (id) => target(id).click(),
    targetNamed: (name) =>
      findAll(".mirror button").find((button) => button.ariaLabel.includes(name)).dataset.target,
    targets: () => findAll(".mirror button").map((button) => button.dataset.target),
    middle: (id) => {
      const r = target(id).getBoundingClientRect();
      return [r.x + r.width / 2, r.y + r.height / 2];
    },

    middleOf: (selector) => {
      const r = find(selector).getBoundingClientRect();
      return [r.x + r.width / 2, r.y + r.height / 2];
    },
    // The height of an element, and of an empty one in its place.
    heights: (selector) => {
      const full = find(selector);
      const empty = full.cloneNode(false);
      const height = (e) => e.getBoundingClientRect().height;
      full.before(empty);
      const heights = [height(full), height(empty)];
      empty.remove();
      return heights;
    },
    isAboveBoard: (selector) =>
      find(selector).getBoundingClientRect().bottom <=
      find(".board").getBoundingClientRect().top,
    isBelowBoard: (selector) =>
      find(selector).getBoundingClientRect().top >=
      find(".board").getBoundingClientRect().bottom,

    boardPlace: () => {
      const { left, top, width, height } = find(".board canvas").getBoundingClientRect();
      return { left, top, width, height };
    },
    // Targets of the board that one of the elements covers.
    covered: (selector) => {
      const rects = findAll(selector)
        .filter((e) => e.checkVisibility())
        .map((e) => e.getBoundingClientRect());
      return findAll(".mirror button")
        .filter((button) => {
          const t = button.getBoundingClientRect();
          return rects.some(
            (r) => t.left < r.right && r.left < t.right && t.top < r.bottom && r.top < t.bottom,
          );
        })
        .map((button) => button.dataset.target);
    },
    // Pairs of visible texts inside an element that lie on each other.
    overlapping: (selector) => {
      const texts = findAll(`${selector} *`).filter(
        (e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()),
      );
      const place = (e) => {
        const range = document.createRange();
        range.selectNodeContents(e);
        return range.getBoundingClientRect();
      };
      const pairs = texts.flatMap((a, n) => texts.slice(n + 1).map((b) => [a, b]));
      return pairs
        .filter(([a, b]) => !a.contains(b) && !b.contains(a))
        .filter(([a, b]) => {
          const [r, s] = [place(a), place(b)];
          const across = Math.min(r.right, s.right) - Math.max(r.left, s.left);
          const down = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
          return across > 1 && down > 1;
        })
        .map((pair) => pair.map((e) => e.textContent));
    },
    // Visible texts inside of elements that stick out of them to the right, unless dots show it.
    stickingOut: (selector) =>
      findAll(`${selector} *`)
        .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3))
        .filter((e) => getComputedStyle(e).textOverflow !== "ellipsis")
        .filter((e) => {
          const range = document.createRange();
          range.selectNodeContents(e);
          const right = e.closest(selector).getBoundingClientRect().right;
          return range.getBoundingClientRect().right > right;
        })
        .map((e) => e.textContent),
    // Visible elements whose top or bottom is out of sight: off the screen, behind the tabs of
    // a phone, or cut off by a parent.
    cutOff: (selector) => {
      const tabs = find(".thumbs");
      const foot = tabs?.checkVisibility() ? tabs.getBoundingClientRect().top : innerHeight;
      return findAll(selector)
        .filter((e) => e.checkVisibility() && !tabs?.contains(e))
        .filter((e) => {
          let [top, bottom] = [0, foot];
          for (let p = e.parentElement; p; p = p.parentElement) {
            if (getComputedStyle(p).overflowY === "visible") continue;
            const r = p.getBoundingClientRect();
            [top, bottom] = [Math.max(top, r.top), Math.min(bottom, r.bottom)];
          }
          const r = e.getBoundingClientRect();
          return r.top < top - 1 || r.bottom > bottom + 1;
        })
        .map((e) => e.textContent);
    },
    // Controls and words that a notch, a rounded corner or a home bar of the given sizes covers,
    // except what can be scrolled up from below.
    belowInsets: ({ top, right, bottom, left }) => {
      const parts = "button, a, input, select, h1, h2, p, b, .side, .menu, .board > canvas";
      const scrolls = (e) => getComputedStyle(e).overflowY === "auto";
      const isFixed = (e) => {
        let parent = e.parentElement;
        while (parent && !parent.matches(".app, .thumbs, .sheet .go") && !scrolls(parent)) {
          parent = parent.parentElement;
        }
        return parent?.matches(".app, .thumbs, .sheet .go");
      };
      return findAll(parts)
        .filter((e) => e.checkVisibility() && !e.closest(".mirror, .sr"))
        .filter((e) => {
          const r = e.getBoundingClientRect();
          if (r.width === 0 || r.bottom <= 0) return false;
          const isTooLow = r.bottom > innerHeight - bottom && isFixed(e);
          return r.top < top || r.left < left || r.right > innerWidth - right || isTooLow;
        })
        .map((e) => e.outerHTML.slice(0, 120));
    },
    rect: (selector) => {
      const { left, top, width, height } = find(selector).getBoundingClientRect();
      return [left, top, width, height];
    },
    isMapHidden: () => find(".map").classList.contains("off"),
    piecesHeld: () => findAll(".hold").map((e) => e.querySelectorAll(".tk:not(.gone)").length),

    overflow: () => {
      const { scrollHeight, scrollWidth } = document.documentElement;
      return { height: scrollHeight - innerHeight, width: scrollWidth - innerWidth };
    },

    // Types a board's number into the sheet; gives what stands there then.
    typeNumber: (text) => {
      const field = find("#option-board");
      field.value = text;
      field.dispatchEvent(new Event("change"));
      return field.value;
    },

    meta: () =>
      Object.fromEntries(
        findAll("meta[content]").map((m) => [m.getAttribute("property") ?? m.name, m.content]),
      ),

    // Fetches a picture: its status, its type, its width and its height.
    fetchPicture: async (address) => {
      const response = await fetch(address);
      const bitmap = await createImageBitmap(await response.clone().blob());
      const size = [bitmap.width, bitmap.height].map(String);
      return [response.status, response.headers.get("content-type"), ...size];
    },

    // Matches of two people on Takeover, 25 of them; gives the bytes of scripts' objects.
    playManyMatches: async () => {
      for (let n = 0; n < 25; n++) {
        for (const id of ["b5", "c4", "e2", "d3"]) {
          target(id).click();
          await sleep(0);
        }
        for (const selector of ["#resign", "#resign", "#again"]) {
          while (!find(selector)) await sleep(1);
          find(selector).click();
          await sleep(0);
        }
      }
      gc();
      await sleep(0);
      gc();
      return performance.memory.usedJSHeapSize;
    },
  });
}
