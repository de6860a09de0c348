// Takes the place of a service worker that `parlour web` once left at this address, throws away
// what it kept, and shows the page that is being worked on.
addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const names = await caches.keys();
  const ours = names.filter((name) => name.startsWith(`parlour ${registration.scope} `));
  await Promise.all(ours.map((name) => caches.delete(name)));
  await registration.unregister();
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  await Promise.all(tabs.map((tab) => tab.navigate(tab.url)));
}
