// The time of the page, for clocks.

{
  const find = (selector) => document.querySelector(selector);
  const realNow = performance.now.bind(performance);
  let skipped = 0;

  Object.assign(tests, {
    // So many milliseconds are over at once.
    skipTime: (milliseconds) => {
      skipped += milliseconds;
      performance.now = () => realNow() + skipped;
    },

    // Whether the match of the address is in the database.
    isStored: async () => {
      const matches = await tests.storedMatches();
      return matches.some(([id]) => location.hash.includes(id));
    },

    hasText: (selector, text) => find(selector)?.textContent.includes(text) ?? false,
  });
}
