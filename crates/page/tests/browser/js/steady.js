// What goes wrong around a match, on purpose: workers that die, tabs that are hidden.
// Every document gets this before its own scripts, so workers can be followed.
{
  const workers = [];
  let areBlocked = false;
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(areBlocked ? "/no-such-worker.js" : args[0], args[1]);
      workers.push(this);
    }
  };
  // The memories of the page's programs. The browser's own search for them, which finds those
  // of workers, crashes on a page whose program is split.
  const memories = [];
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const result = await original.apply(WebAssembly, args);
      const { memory } = (result.instance ?? result).exports;
      if (memory) memories.push(memory);
      return result;
    };
  }
  let readyAt = null;
  new MutationObserver(() => {
    readyAt ??= performance.now();
  }).observe(document, { attributes: true, attributeFilter: ["data-ready"], subtree: true });

  Object.assign(tests, {
    countWorkers: () => workers.length,
    memoryBytes: () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0),

    // The worker dies, as if its program had crashed.
    killWorker: () => {
      const worker = workers.at(-1);
      worker.terminate();
      worker.dispatchEvent(new ErrorEvent("error", { message: "killed by a test" }));
    },

    // Whether new workers find no program.
    blockWorkers: (isBlocked) => {
      areBlocked = isBlocked;
    },

    // The tab goes out of sight, or comes back.
    setHidden: (isHidden) => {
      Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    },

    // When the page could be used, and when each file of the worker was asked for.
    startTimes: () => {
      const entries = performance.getEntriesByType("resource");
      const worker = entries.filter((entry) => entry.name.includes("/worker-"));
      return [readyAt, ...worker.map((entry) => entry.startTime)];
    },
  });
}
