// Keeps the time when the page could be used, in milliseconds since it was asked for.
{
  let readyAt;
  new MutationObserver(() => {
    if (document.documentElement?.dataset.ready) readyAt ??= performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });
  tests.readyAt = () => readyAt;
}
