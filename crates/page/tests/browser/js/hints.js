// Hints and comments.
{
  const find = (selector) => document.querySelector(selector);

  Object.assign(tests, {
    hasExactText: (selector, text) => find(selector)?.textContent === text,
    hasSomeText: (selector, text) =>
      [...document.querySelectorAll(selector)].some((e) => e.textContent.includes(text)),
    isOnScreen: (selector) => {
      const r = find(selector).getBoundingClientRect();
      return r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth;
    },
  });
}
