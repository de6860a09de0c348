// Counts what the page plays, without an ear.
{
  let nContexts = 0;
  let context;
  let nVoices = 0;
  if (globalThis.AudioContext) {
    globalThis.AudioContext = class extends AudioContext {
      constructor(...args) {
        super(...args);
        nContexts++;
        context = this;
      }
    };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...args) {
      nVoices++;
      return start.apply(this, args);
    };
  }
  Object.assign(tests, {
    nContexts: () => nContexts,
    nVoices: () => nVoices,
    isOutput: (state) => context?.state === state,
    hasMoreVoices: (n) => nVoices > n,
  });
}
