// Opens and closes the drawing board, and loads its code when it is first opened. If there is a drawing when a message
// is sent, the sender asks for it by `learnagent:board` and gets a promise of the snapshot's id.
(() => {
  const place = document.getElementById("board-place");
  if (!place) return;
  const section = () => document.getElementById("board");
  const shelf = `board:${document.body.dataset.person}:${location.pathname}`;
  const openShelf = `${shelf}:open`;
  const openers = () => document.querySelectorAll("[data-board-open]");
  let code = null; // The drawing code, once it is loaded.
  let fetching = null;

  function kept(key, value) {
    try {
      if (value === undefined) return sessionStorage.getItem(key);
      value ? sessionStorage.setItem(key, value) : sessionStorage.removeItem(key);
    } catch {}
    return null;
  }
  const dressed = () => new Promise((resolve, reject) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = place.dataset.style;
    sheet.addEventListener("load", resolve);
    sheet.addEventListener("error", () => (sheet.remove(), reject(new Error("no style"))));
    document.head.append(sheet);
  });
  async function drawn() {
    if (section()) return;
    const response = await fetch(place.dataset.panel);
    if (!response.ok || response.redirected) throw new Error("no board");
    place.innerHTML = await response.text();
    section().dataset.address = place.dataset.address;
  }
  function load() {
    fetching ??= Promise.all([drawn(), dressed()]).then(() => import(place.dataset.code)).then((found) => (code = found));
    fetching.catch(() => (fetching = null));
    return fetching;
  }
  const isOpen = () => section()?.hidden === false;
  function mark() {
    for (const opener of openers()) {
      opener.hidden = false;
      opener.setAttribute("aria-expanded", isOpen());
    }
  }
  async function open(isAsked) {
    try {
      await load();
    } catch {
      if (isAsked) document.getElementById("connection").textContent = place.dataset.unloaded;
      return;
    }
    section().hidden = false;
    document.body.classList.add("has-board");
    kept(openShelf, "yes");
    mark();
    if (isAsked) section().querySelector("[data-tool][aria-pressed=true]").focus({ preventScroll: true });
  }
  function close() {
    section().hidden = true;
    document.body.classList.remove("has-board");
    kept(openShelf, "");
    mark();
    [...openers()].find((opener) => opener.offsetParent)?.focus();
  }

  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-board-open]")) isOpen() ? close() : open(true);
    else if (target.closest("[data-board=close]")) close();
  });
  place.addEventListener("keydown", (event) => event.key === "Escape" && !event.isComposing && close());
  document.addEventListener("learnagent:board", ({ detail }) => {
    const isThere = code ? !code.isEmpty() : kept(shelf);
    if (isThere) detail.answer = load().then(({ flush, forget, isEmpty }) => (detail.isAnew && forget(), isEmpty() ? undefined : flush()));
  });
  // If a deleted drawing is still on the board and is asked about again, it is sent again.
  document.addEventListener("submit", ({ target }) => {
    if (!target.matches(".shot form")) return;
    code ? code.forget() : kept(`${shelf}:seen`, "");
  });
  // It may be shown under several messages.
  document.addEventListener("htmx:afterOnLoad", ({ detail: { target, xhr } }) => {
    if (xhr.status !== 200 || !target.matches?.(".shot")) return;
    for (const copy of document.querySelectorAll(`[data-shot="${target.dataset.shot}"]`)) copy.outerHTML = xhr.responseText;
  });
  // The composer is replaced with every turn.
  document.addEventListener("htmx:wsAfterMessage", mark);
  if (kept(openShelf)) open(false);
  mark();
})();
