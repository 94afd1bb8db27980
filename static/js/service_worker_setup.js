// Registers the service worker for the offline page, and clears local data when somebody signs out.
(() => {
  const SIGNED_OUT = "signed-out";
  addEventListener("load", () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));

  function forget() {
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith("outbox:")) localStorage.removeItem(key);
      sessionStorage.clear();
    } catch {}
  }
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-forgets]")) return;
    forget();
    try {
      localStorage.setItem(SIGNED_OUT, String(Date.now())); // Other tabs have drafts of their own.
    } catch {}
  });
  addEventListener("storage", (event) => event.key === SIGNED_OUT && forget());
})();
