// The message box: Enter sends, what is written stays until the server has it, also over a reload.
(() => {
  const form = document.getElementById("compose");
  if (!form) return;
  const box = form.elements.text;
  const id = form.elements.client_id;
  const shelf = `draft:${location.pathname}`;
  const touch = matchMedia("(pointer: coarse)");
  let pending = false;

  const state = () => document.getElementById("composer")?.dataset.state;
  const newId = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // A private window may refuse storage; the draft then lives as long as the page.
  function keep() {
    try {
      if (box.value) sessionStorage.setItem(shelf, JSON.stringify({ text: box.value, id: id.value }));
      else sessionStorage.removeItem(shelf);
    } catch {}
  }
  function restore() {
    try {
      const draft = JSON.parse(sessionStorage.getItem(shelf));
      if (!draft || box.value) return;
      if (draft.id && document.querySelector(`[data-client-id="${CSS.escape(draft.id)}"]`)) return sessionStorage.removeItem(shelf);
      [box.value, id.value] = [draft.text, draft.id];
    } catch {}
  }
  function fit() {
    if (!CSS.supports("field-sizing", "content")) box.rows = Math.min(12, box.value.split("\n").length);
  }
  function wait(isWaiting) {
    pending = isWaiting;
    box.readOnly = isWaiting;
  }
  function complain(text) {
    const place = document.getElementById("error");
    if (place && !text) place.replaceChildren();
  }

  box.addEventListener("input", () => {
    id.value = "";
    complain("");
    keep();
    fit();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || touch.matches) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    if (state() === "ready" && !pending && box.value.trim()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });

  document.addEventListener("htmx:wsConfigSend", (event) => {
    const fields = event.detail.parameters;
    if (!("client_id" in fields)) return;
    if (event.target === form) fields.client_id = id.value ||= newId();
    else fields.client_id = newId();
    delete event.detail.headers["X-CSRFToken"];
    if (event.target === form) {
      keep();
      wait(true);
    }
    document.dispatchEvent(new Event("learnagent:sent"));
  });

  // The message on the page is the sign that it is stored; a problem named beside the box is the sign that it is not.
  document.addEventListener("htmx:wsAfterMessage", () => {
    box.disabled = state() === "disabled";
    if (!pending) return;
    if (document.querySelector(`[data-client-id="${CSS.escape(id.value)}"]`)) {
      wait(false);
      box.value = id.value = "";
      keep();
      fit();
    } else if (document.getElementById("error")?.childElementCount) wait(false);
  });
  // What was queued while the socket was down is sent again by htmx; the box opens again so that nothing is stuck.
  document.addEventListener("htmx:wsClose", () => wait(false));

  restore();
  fit();
  if (!touch.matches && !location.hash) box.focus({ preventScroll: true });
})();
