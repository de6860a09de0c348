// What tests of reviews and of the analysis board ask the page and do on it.
{
  const find = (selector) => document.querySelector(selector);
  let reviewTime = null;
  const number = (name) => Number(find(".study")?.dataset[name] ?? 0);

  Object.assign(tests, {
    // Whether so many positions are judged.
    hasJudged: (n) => number("judged") >= n,
    nJudged: () => number("judged"),
    depth: () => number("depth"),
    hasDepth: (n) => number("depth") >= n,

    // Stops the review once so many positions are judged; gives how many there are then.
    stopReviewAfter: async (n) => {
      while (number("judged") < n) await new Promise((done) => requestAnimationFrame(done));
      find("#review-stop").click();
      return number("judged");
    },

    // Opens the review of a match with so many positions.
    beginReview: (fragment, n) => {
      const start = performance.now();
      location.hash = fragment;
      const look = () => {
        if (number("judged") < n) requestAnimationFrame(look);
        else reviewTime = performance.now() - start;
      };
      look();
    },
    // How long it took, in milliseconds; nothing while it goes on.
    reviewTime: () => reviewTime,

    // What a slider says.
    slider: (selector) => {
      const e = find(selector);
      return [e.ariaValueNow, e.ariaValueMax].map(Number);
    },

    // Writes into a field, as somebody does who then goes elsewhere.
    write: (selector, text) => {
      const field = find(selector);
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    },

    addressLacks: (part) => !location.hash.includes(part),
    addressHas: (part) => location.hash.includes(part),
    includesText: (selector, text) => (find(selector)?.textContent ?? "").includes(text),
  });
}
