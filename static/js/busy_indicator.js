// Shows that the server is working on a press: a line at the top, the pressed button fades, and
// pressing it again does nothing. htmx requests use htmx's own classes.
(() => {
  const root = document.documentElement;
  const AT_MOST_MS = 20_000;
  const DOWNLOAD_MS = 3_000; // The page stays, and no event says that the download has started.
  let waiting = [];
  let timer;

  function wait(forMs, ...pressed) {
    root.dataset.waiting = "";
    waiting.push(...pressed);
    for (const piece of pressed) piece.setAttribute("aria-busy", "true");
    clearTimeout(timer);
    timer = setTimeout(release, forMs);
  }
  function release() {
    clearTimeout(timer);
    delete root.dataset.waiting;
    for (const piece of waiting) piece.removeAttribute("aria-busy");
    waiting = [];
  }
  const leavesPage = (link) => link.origin === location.origin && !link.target && !link.hasAttribute("download") && !link.hash && !/\.\w+$/.test(link.pathname);

  document.addEventListener("submit", (event) => waiting.includes(event.target) && (event.preventDefault(), event.stopImmediatePropagation()), { capture: true });
  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method === "dialog") return;
    wait(form.matches("[data-downloads]") ? DOWNLOAD_MS : AT_MOST_MS, ...[form, submitter].filter(Boolean));
  });
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (leavesPage(link)) wait(AT_MOST_MS);
  });
  // The back button restores the page as it was left.
  addEventListener("pageshow", release);
})();
