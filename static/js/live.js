// The conversation's socket: where it resumes after a break, and one line with its status.
(() => {
  const line = () => document.getElementById("connection");
  const seq = () => document.getElementById("seq")?.dataset ?? {};
  const RETRIED_BY_HTMX = [1006, 1011, 1012, 1013];
  let broken = false;
  let leaving = false;
  let timer;

  // A reconnect asks for the events after the last one seen, not after those the page was rendered with.
  htmx.createWebSocket = (url) => {
    const address = new URL(url);
    if (seq().turn) {
      address.searchParams.set("turn", seq().turn);
      address.searchParams.set("after", seq().seq || "0");
    }
    return new WebSocket(address.href);
  };

  function say(text, isBack) {
    if (!line()) return;
    line().textContent = text ?? "";
    line().classList.toggle("is-back", Boolean(isBack));
  }

  document.addEventListener("htmx:wsOpen", () => {
    clearTimeout(timer);
    if (broken) {
      say(line()?.dataset.back, true);
      timer = setTimeout(() => say(""), 4000);
    }
    broken = false;
  });

  document.addEventListener("htmx:wsClose", (event) => {
    if (leaving) return;
    const { event: closed, socketWrapper } = event.detail;
    if (closed.code >= 4000) return say(line()?.dataset.closed);
    broken = true;
    clearTimeout(timer);
    timer = setTimeout(() => say(line()?.dataset.lost), 700);
    if (!RETRIED_BY_HTMX.includes(closed.code)) setTimeout(() => socketWrapper?.reconnect(), 500 + 1500 * Math.random());
  });

  // The server stopped pushing because this page fell behind: start again from what is stored.
  document.addEventListener("htmx:wsAfterMessage", () => seq().refetch && location.reload());

  // A part that arrives again, replayed or further down, is shown only where it arrived last.
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    for (const slot of detail.fragment.querySelectorAll(".slot[id]")) {
      const shown = document.getElementById(slot.id);
      if (shown && !detail.target.contains(shown)) htmx.remove(shown);
    }
    if (detail.fragment instanceof DocumentFragment) return;
    for (const piece of detail.fragment.children) {
      const shown = piece.id && document.getElementById(piece.id);
      if (shown) htmx.remove(shown);
    }
  });

  addEventListener("pagehide", () => (leaving = true));
  addEventListener("pageshow", () => (leaving = false));
})();
