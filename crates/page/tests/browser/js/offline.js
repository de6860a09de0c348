// What tests ask about a page that is kept on the device.
Object.assign(tests, {
  // Whether the service worker has kept everything.
  isKept: async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === "activated";
  },
  nRegistrations: async () => (await navigator.serviceWorker.getRegistrations()).length,
  // What a request past all caches is answered with.
  statusOfReload: async (name) => (await fetch(name, { cache: "reload" })).status,
  nCaches: async () => (await caches.keys()).length,
  // Whether the match that is played has been stored.
  hasBuild: (name) => tests.isReady() && document.documentElement.dataset.build === name,

  manifest: async () => {
    const address = document.querySelector("link[rel=manifest]").href;
    return (await fetch(address)).json();
  },

  // How much a picture differs from a drawing, at worst, in one of the colors of one of its
  // pixels; edges aside, which programs smooth in their own ways.
  pictureDifference: async (picture, drawing) => {
    const load = async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image;
    };
    const [one, other] = await Promise.all([picture, drawing].map(load));
    const pixels = (image) => {
      const canvas = new OffscreenCanvas(one.naturalWidth, one.naturalHeight);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const [a, b] = [pixels(one), pixels(other)];
    let n = 0;
    for (let at = 0; at < a.length; at++) if (Math.abs(a[at] - b[at]) > 64) n++;
    return n / a.length;
  },

  // A device on which nothing can be stored.
  forbidStorage: () => {
    for (const name of ["localStorage", "indexedDB"]) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException("no", "SecurityError");
        },
      });
    }
  },
});
