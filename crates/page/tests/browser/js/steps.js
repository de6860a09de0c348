// What does several things before the page's next frame, however busy the machine
// is: nothing here waits for a task, only for promises.
{
  const mirror = () => document.querySelector(".mirror");
  const settle = async () => {
    for (let n = 0; n < 50; n++) await null;
  };
  const go = async (ids) => {
    for (const id of ids) {
      mirror().querySelector(`[data-target="${id}"]`).click();
      await settle();
    }
  };
  const state = () => {
    const { busy, fen, result } = mirror().dataset;
    return [busy, fen, result];
  };

  Object.assign(tests, {
    // Clicks on targets, and on others while something moves.
    statesAfter: async (ids, others) => {
      await go(ids);
      const before = state();
      await go(others);
      return [before, state()];
    },

    // Drags from one target to another; gives the state then.
    stateAfterDrop: async (from, to) => {
      const canvas = document.querySelector(".board canvas");
      const [start, end] = [from, to].map((id) => tests.middle(id));
      const steps = [
        ["pointerdown", start],
        ["pointermove", [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]],
        ["pointermove", end],
        ["pointerup", end],
      ];
      for (const [kind, [clientX, clientY]] of steps) {
        const buttons = kind === "pointerup" ? 0 : 1;
        const pointer = { pointerId: 1, isPrimary: true, button: 0, buttons, clientX, clientY };
        canvas.dispatchEvent(new PointerEvent(kind, { bubbles: true, ...pointer }));
        await settle();
      }
      return state();
    },

    // Clicks on targets; gives, for every frame until it is the turn of `player` again and all
    // is at rest, whose turn it is, whether the board is busy, the heading, the title of the
    // page, and what the cards say about the turn.
    headingsUntilTurn: async (ids, player) => {
      await go(ids);
      const seen = [];
      for (;;) {
        await new Promise((done) => requestAnimationFrame(done));
        const { turn, busy } = mirror().dataset;
        const chips = tests.texts(".pc .chip").join();
        seen.push([turn, busy, tests.text(".msg h2"), document.title, chips]);
        if (turn === player && busy === "false") return seen;
      }
    },

    // Clicks on targets; gives the state then, and whether a result is shown.
    resultAfter: async (ids) => {
      await go(ids);
      return [...state(), document.querySelector(".res") !== null];
    },

    // Clicks on targets; gives the milliseconds until nothing moves any more.
    timeOfMotion: async (ids) => {
      const start = performance.now();
      for (const id of ids) mirror().querySelector(`[data-target="${id}"]`).click();
      await tests.sleep(30);
      while (mirror().dataset.busy !== "false") {
        await new Promise((done) => requestAnimationFrame(done));
      }
      return performance.now() - start;
    },

    // Clicks on targets; gives the milliseconds until the machine has answered.
    timeOfAnswer: async (ids) => {
      const start = performance.now();
      await go(ids);
      const { fen } = mirror().dataset;
      while (mirror().dataset.fen === fen) await tests.sleep(5);
      return performance.now() - start;
    },

    // Lets the machine think, and takes the move back at once.
    undoThought: async (ids) => {
      await go(ids);
      const { busy } = mirror().dataset;
      document.querySelector("#undo").click();
      await settle();
      return [busy, mirror().dataset.fen, mirror().dataset.busy];
    },

    // Clicks on targets, and then on everything there is, by its button and by the
    // pointer; gives what is seen before and after.
    clickEverythingAfter: async (ids) => {
      const look = () => [
        ...state(),
        mirror().dataset.turn,
        tests.count(".key span"),
        tests.count(".mv li button"),
        tests.text(".msg p"),
      ];
      await go(ids);
      const before = look();
      const canvas = document.querySelector(".board canvas");
      for (const button of [...mirror().querySelectorAll("button")]) {
        button.click();
        await settle();
        const r = button.getBoundingClientRect();
        for (const kind of ["pointerdown", "pointerup"]) {
          const at = { clientX: r.x + r.width / 2, clientY: r.y + r.height / 2 };
          const pointer = { bubbles: true, pointerId: 1, isPrimary: true, button: 0, ...at };
          canvas.dispatchEvent(new PointerEvent(kind, pointer));
          await settle();
        }
      }
      tests.clickIfThere("[data-target=pass]");
      await settle();
      return [before, look()];
    },
  });
}
