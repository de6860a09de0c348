// The service worker: keeps the files of one version of the page, so that it opens and plays
// without a network. The bundler fills in the version and the files.
const VERSION = "{version}";
const FILES = {files};

// Several copies of the page may share an origin.
const OURS = `parlour ${registration.scope} `;
const CACHE = OURS + VERSION;

const ROOT = new URL(registration.scope).pathname;
const INDEX = "./";

// A file with a hash in its name is what it was when the page fetched it.
const isHashed = (name) => /-[0-9a-f]{16}\./.test(name);

async function fill() {
  const cache = await caches.open(CACHE);
  const request = (name) => new Request(name, { cache: isHashed(name) ? "default" : "no-cache" });
  await cache.addAll(FILES.map(request));
}

// Removes the caches of other versions, unless a second tab may still need one.
async function tidy() {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tabs.length > 1) return;
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request, isPage) {
  const wanted = isPage ? INDEX : request;
  const options = { ignoreVary: true };
  const cache = await caches.open(CACHE);
  const kept = await cache.match(wanted, options);
  // A tab with an earlier version asks for that version's files.
  return kept ?? (isPage ? undefined : await caches.match(request, options)) ?? fetch(request);
}

// The page found that what it got is damaged, or got nothing. It hears of every part as it
// arrives; what is kept is used if there is no network, since the page checks it again.
async function renew(event) {
  const { request } = event;
  const cache = await caches.open(CACHE);
  const response = await fetch(request).catch(() => undefined);
  if (!response?.ok) {
    return (await cache.match(request, { ignoreVary: true })) ?? response ?? Response.error();
  }
  event.waitUntil(cache.put(request, response.clone()));
  return response;
}

addEventListener("install", (event) => event.waitUntil(fill()));

addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([tidy(), clients.claim()])),
);

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  // What the server of online play says is never kept.
  if (pathname.startsWith("/api/")) return;
  const isPage = pathname === ROOT || pathname === `${ROOT}index.html`;
  if (isPage) event.waitUntil(tidy());
  const isDamaged = request.cache === "reload" && pathname.endsWith(".weights");
  event.respondWith(isDamaged ? renew(event) : answer(request, isPage));
});

// A notification that it is somebody's turn leads to the page.
async function show() {
  const [tab] = await clients.matchAll({ type: "window" });
  return tab ? tab.focus() : clients.openWindow("./#/play");
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show());
});

// Somebody pressed the button of the notice.
addEventListener("message", ({ data }) => {
  if (data === "switch") skipWaiting();
});
