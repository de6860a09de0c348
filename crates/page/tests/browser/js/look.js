// What is to be seen: pictures, colors, names.
{
  const findAll = (selector) => [...document.querySelectorAll(selector)];
  const canvas = () => document.querySelector(".board canvas");
  const place = (id) =>
    document.querySelector(`.mirror [data-target="${id}"]`).getBoundingClientRect();
  const picture = () => canvas().toDataURL();
  const snippet = (element) => element.outerHTML.slice(0, 120);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  let kept;

  // The middle of a piece on the canvas: mean color, mean lightness, and where it
  // is lighter than that.
  const pieceAt = (id) => {
    const size = 24;
    const c = canvas().getBoundingClientRect();
    const scale = canvas().width / c.width;
    const r = place(id);
    const side = r.width * 0.5 * scale;
    const x = (r.x + r.width / 2 - c.x) * scale - side / 2;
    const y = (r.y + r.height / 2 - c.y) * scale - side / 2;
    const small = new OffscreenCanvas(size, size).getContext("2d");
    small.drawImage(canvas(), x, y, side, side, 0, 0, size, size);
    const { data } = small.getImageData(0, 0, size, size);
    const colors = [...Array(size * size).keys()].map((n) => [...data.slice(4 * n, 4 * n + 3)]);
    const light = colors.map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b);
    const middle = mean(light);
    return {
      color: [0, 1, 2].map((k) => mean(colors.map((color) => color[k]))),
      light: middle,
      mark: light.map((l) => l > middle),
    };
  };

  // The pixels in the middle of a target.
  const middleOfPlace = (id) => {
    const c = canvas().getBoundingClientRect();
    const r = place(id);
    const scale = canvas().width / c.width;
    const side = Math.round(r.width * 0.5 * scale);
    const x = Math.round((r.x + r.width / 2 - c.x) * scale - side / 2);
    const y = Math.round((r.y + r.height / 2 - c.y) * scale - side / 2);
    return canvas().getContext("2d").getImageData(x, y, side, side).data.join();
  };

  Object.assign(tests, {
    boardPixels: () => picture(),
    // Whether a canvas has been drawn at the size that it has on the page.
    isDrawn: (selector) => {
      const drawn = document.querySelector(selector);
      return drawn.width === Math.round(drawn.getBoundingClientRect().width * devicePixelRatio);
    },

    // The color in the middle of a target on the canvas.
    pixel: (id) => {
      const c = canvas().getBoundingClientRect();
      const r = place(id);
      const scale = canvas().width / c.width;
      const x = (r.x + r.width / 2 - c.x) * scale;
      const y = (r.y + r.height * 0.35 - c.y) * scale;
      return [...canvas().getContext("2d").getImageData(x, y, 1, 1).data];
    },

    // How two pieces on the canvas differ: in mean color, in mean lightness, and in the
    // share of places where one is lighter than its own mean and the other is not.
    difference: (a, b) => {
      const [p, q] = [pieceAt(a), pieceAt(b)];
      const marks = p.mark.filter((mark, n) => mark !== q.mark[n]);
      return [
        Math.hypot(...p.color.map((value, k) => value - q.color[k])),
        Math.abs(p.light - q.light),
        marks.length / p.mark.length,
      ];
    },

    // Goes to a match, and gives the texts that are drawn from then on until all is at rest.
    textsOnBoard: async (fragment) => {
      const texts = new Set();
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      prototype.fillText = function (text, ...rest) {
        if (!document.querySelector(".home")) texts.add(text);
        return fillText.call(this, text, ...rest);
      };
      location.hash = fragment;
      while (document.querySelector(".mirror")?.dataset.busy !== "false") await tests.sleep(20);
      await tests.nextFrame();
      prototype.fillText = fillText;
      return [...texts];
    },

    // Clicks on targets; gives for every place whether its picture in the first frame of the
    // motion is another than at rest.
    movesAtFirst: async (ids, places) => {
      for (const id of ids) {
        document.querySelector(`.mirror [data-target="${id}"]`).click();
        for (let n = 0; n < 50; n++) await null;
      }
      // The board asked for the frame before this does.
      await new Promise((done) => requestAnimationFrame(done));
      const first = places.map(middleOfPlace);
      while (document.querySelector(".mirror").dataset.busy !== "false") await tests.sleep(20);
      await tests.nextFrame();
      return places.map((id, n) => middleOfPlace(id) !== first[n]);
    },

    keepPicture: () => {
      kept = picture();
    },
    isPictureAnother: () => picture() !== kept,
    isPictureStill: async (ms) => {
      const before = picture();
      await tests.sleep(ms);
      return before === picture();
    },

    // Goes to a match, and gives what was seen of the drawing of lots: nothing, or the
    // first look at it and the milliseconds it took.
    watchLots: (fragment) =>
      new Promise((done) => {
        let seen = null;
        const since = performance.now();
        const look = () => {
          const lots = findAll(".lot");
          const mirror = document.querySelector(".mirror");
          const seats = findAll(".pc .nm b");
          if (lots.length && seats.length && !seen) {
            const styles = lots.map((lot) => getComputedStyle(lot));
            seen = {
              n: lots.length,
              names: styles.map((style) => style.animationName),
              times: styles.map((style) => style.animationDuration),
              busy: mirror.dataset.busy,
              seats: seats.map((e) => e.textContent.trim()),
            };
          }
          if (mirror?.dataset.busy === "false" && !lots.length) {
            observer.disconnect();
            done(seen && { ...seen, time: performance.now() - since });
          }
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { subtree: true, childList: true, attributes: true });
        location.hash = fragment;
      }),

    // Goes to a match in which colors are drawn, and returns what is shown at the end of
    // the animation: for each color whether it is the person's, its scale and its opacity.
    endOfLots: (fragment) =>
      new Promise((done) => {
        const look = () => {
          const lots = findAll(".lot");
          if (!lots.length) {
            return;
          }
          observer.disconnect();
          done(
            lots.map((lot) => {
              const [animation] = lot.getAnimations();
              animation.pause();
              animation.currentTime = animation.effect.getComputedTiming().endTime;
              const { transform, opacity } = getComputedStyle(lot);
              const isMine = lot.classList.contains("mine");
              return { isMine, scale: new DOMMatrix(transform).a, opacity: Number(opacity) };
            }),
          );
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { subtree: true, childList: true });
        location.hash = fragment;
      }),

    // Controls and surfaces without a line around them.
    withoutOutline: () =>
      findAll("button, input:not([type=radio], [type=checkbox]), .tb, .seg, .sheet, .help, .pc")
        .filter((e) => !e.closest(".mirror") && e.checkVisibility())
        .filter((e) => {
          const style = getComputedStyle(e);
          const hasLine = parseFloat(style.borderTopWidth) >= 1 && style.borderTopStyle !== "none";
          return !(hasLine && style.borderTopColor !== style.backgroundColor);
        })
        .map(snippet),

    // Words in the color of what they stand on.
    unreadable: () => {
      const ground = getComputedStyle(document.body).backgroundColor;
      return findAll("a, button, label, h2, p")
        .filter((e) => !e.closest(".mirror") && e.checkVisibility() && e.innerText?.trim())
        .filter((e) => {
          const { color, backgroundColor } = getComputedStyle(e);
          return color === (backgroundColor === "rgba(0, 0, 0, 0)" ? ground : backgroundColor);
        })
        .map(snippet);
    },

    // Elements that assistive programs have no name for.
    nameless: () =>
      findAll("button, a, input, [role=img], dialog, [role=group]")
        .filter((e) => {
          const own = e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length;
          return !(own || e.getAttribute("aria-labelledby") || e.querySelector("[aria-label]"));
        })
        .map(snippet),

    // Pictures of one game share gradients, whose ids describe them completely.
    repeatedIds: () => {
      const ids = findAll("[id]:not(defs *)").map((e) => e.id);
      return ids.filter((id, n) => ids.indexOf(id) !== n);
    },

    // What axe-core finds: how many rules are kept, and those that are not.
    audit: async () => {
      const { passes, violations } = await axe.run();
      return [passes.length, violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)];
    },
  });
}
