// Stored matches: a second tab, and storage that fails on purpose.
{
  let second = null;
  const mirror = () => second.document?.querySelector(".mirror");

  // What `use` returns, once all that it asked of the stored matches is done.
  const inStore = (mode, use) =>
    new Promise((done, fail) => {
      const request = indexedDB.open("parlour");
      request.onerror = fail;
      request.onsuccess = () => {
        const transaction = request.result.transaction("matches", mode);
        const used = use(transaction.objectStore("matches"));
        transaction.onerror = fail;
        transaction.oncomplete = () => {
          request.result.close();
          done(used);
        };
      };
    });

  Object.assign(tests, {
    openSecondTab: (fragment) => {
      second = window.open(location.pathname + fragment);
      return second !== null;
    },
    secondHasData: (name, value) => mirror()?.dataset[name] === value,
    secondData: (name) => mirror()?.dataset[name] ?? "",
    secondHasCount: (selector, n) => second.document.querySelectorAll(selector).length === n,
    secondClickTarget: (id) =>
      second.document.querySelector(`.mirror [data-target="${id}"]`).click(),

    // Whether so many matches are stored that somebody resigned.
    areResignationsStored: async (n) => {
      const matches = await tests.storedMatches();
      return matches.filter(([, text]) => text.includes("!resign:")).length >= n;
    },
    isPlyStored: async (ply) => {
      const matches = await tests.storedMatches();
      return matches.some(([, text]) => text.includes(`\nply: ${ply}\n`));
    },
    // All that is stored, by id.
    storedMatches: async () => {
      const [keys, values] = await inStore("readonly", (store) => [
        store.getAllKeys(),
        store.getAll(),
      ]);
      return keys.result.map((key, n) => [key, values.result[n]]);
    },
    // Stores any value under an id.
    storeMatch: async (id, value) => {
      await inStore("readwrite", (store) => store.put(value, id));
      return true;
    },
    forgetMatches: () => inStore("readwrite", (store) => void store.clear()),

    // From now on nothing more can be written.
    fillStorage: () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("no room", "QuotaExceededError");
      };
    },

    historyBack: () => history.back(),
    historyForward: () => history.forward(),
    historyLength: () => history.length,

    // Files that the page offers are caught instead of saved.
    catchDownloads: () => {
      tests.downloads = [];
      const blobs = new Map();
      const create = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob) => {
        const url = create(blob);
        blobs.set(url, blob);
        return url;
      };
      const click = HTMLElement.prototype.click;
      HTMLAnchorElement.prototype.click = async function () {
        if (!this.download) {
          click.call(this);
          return;
        }
        const [name, blob] = [this.download, blobs.get(this.href)];
        const isText = blob.type.startsWith("text") || blob.type.includes("svg");
        tests.downloads.push([name, blob.size, isText ? await blob.text() : ""]);
      };
    },
    downloaded: () => tests.downloads,

    // Texts that the page copies are caught.
    catchCopies: () => {
      tests.copies = [];
      navigator.clipboard.writeText = async (text) => tests.copies.push(text);
    },
    copied: () => tests.copies,
    hasCopies: (n) => tests.copies.length >= n,

    hasDownloads: (n) => tests.downloads.length >= n,

    paste: (selector, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true });
      document.querySelector(selector).dispatchEvent(event);
    },

    // Hands files with these texts to an input.
    chooseFiles: (selector, texts) => {
      const data = new DataTransfer();
      texts.forEach((text, n) => data.items.add(new File([text], `match-${n}.txt`)));
      const input = document.querySelector(selector);
      input.files = data.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },

    wheelOver: (selector, deltaY) =>
      document
        .querySelector(selector)
        .dispatchEvent(new WheelEvent("wheel", { deltaY, bubbles: true, cancelable: true })),

    // Both tabs play at the same time, before either hears of the other.
    playInBoth: (here, there) => {
      for (const id of here) tests.clickTarget(id);
      for (const id of there) tests.secondClickTarget(id);
    },
    // Both show the same, and go on doing so.
    bothAgree: async () => {
      for (let n = 0; n < 5; n += 1) {
        if (tests.data("fen") !== tests.secondData("fen")) return false;
        await tests.sleep(50);
      }
      return true;
    },

    // Follows one address after the other.
    visitAll: async (fragments) => {
      for (const fragment of fragments) {
        location.hash = fragment;
        await tests.sleep(15);
      }
    },

    hasCount: (selector, n) => document.querySelectorAll(selector).length === n,
    choose: (selector, value) => {
      const select = document.querySelector(selector);
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    },
    clickValue: (name, value) =>
      document.querySelector(`input[name="${name}"][value="${value}"]`).click(),
    hasOtherValue: (selector, value) => document.querySelector(selector).value !== value,

    value: (selector) => document.querySelector(selector).value,
  });
}
