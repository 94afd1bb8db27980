// The message box: Enter sends, or queues the message while a turn runs. Drafts are kept.
(() => {
  const form = document.getElementById("compose");
  if (!form) return;
  const box = form.elements.text;
  const shelf = `draft:${document.body.dataset.person}:${location.pathname}`;
  const touch = matchMedia("(pointer: coarse)");
  const lines = () => [...document.querySelectorAll("#uploads li[data-id]")];
  let awaited = false; // A message waiting for its files to upload.
  let given = ""; // The client id of a refused message: sent again unchanged, it keeps its id.

  const state = () => document.getElementById("composer")?.dataset.state;

  // A private window may refuse storage. Then the draft lasts only as long as the page.
  function keep() {
    try {
      if (box.value) sessionStorage.setItem(shelf, box.value);
      else sessionStorage.removeItem(shelf);
    } catch {}
  }
  function restore() {
    try {
      box.value ||= sessionStorage.getItem(shelf) ?? "";
    } catch {}
  }
  function fit() {
    if (!CSS.supports("field-sizing", "content")) box.rows = Math.min(12, box.value.split("\n").length);
  }

  document.addEventListener("learnagent:arrived", () => (given = ""));
  box.addEventListener("input", () => {
    given = "";
    awaited = false;
    document.getElementById("error")?.replaceChildren();
    keep();
    fit();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || touch.matches) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state() === "disabled") return;
    if (!box.value.trim()) {
      if (lines().length) (box.placeholder = form.dataset.ask, box.focus());
      return;
    }
    awaited = Boolean(document.querySelector("#uploads .is-sending"));
    if (awaited) return;
    const attachments = lines().map((line) => ({ id: line.dataset.id, name: line.querySelector(".upload-name").textContent }));
    const detail = { text: box.value, id: given, attachments };
    document.getElementById("uploads")?.replaceChildren();
    box.value = given = "";
    keep();
    fit();
    document.getElementById("error")?.replaceChildren();
    document.dispatchEvent(new CustomEvent("learnagent:say", { detail }));
  });
  document.addEventListener("learnagent:arrived", () => awaited && form.requestSubmit());
  document.addEventListener("learnagent:refused", (event) => {
    if (box.value || lines().length) return;
    event.preventDefault();
    [box.value, given] = [event.detail.text, event.detail.id];
    document.dispatchEvent(new CustomEvent("learnagent:attached", { detail: event.detail.attachments ?? [] }));
    keep();
    fit();
  });

  // The small forms in the thread, such as Continue, are sent by htmx.
  document.addEventListener("htmx:wsConfigSend", (event) => {
    const fields = event.detail.parameters;
    if (!("client_id" in fields)) return;
    fields.client_id = crypto.getRandomValues(new Uint32Array(4)).join("-");
    delete event.detail.headers["X-CSRFToken"];
    document.dispatchEvent(new Event("learnagent:sent"));
  });
  document.addEventListener("htmx:wsAfterMessage", () => (box.disabled = state() === "disabled"));

  restore();
  fit();
  if (!touch.matches && !location.hash && !document.querySelector("#thread .step")) box.focus({ preventScroll: true });
})();
