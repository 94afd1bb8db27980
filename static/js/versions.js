// Edits a message in place, or asks it again; older versions are shown in the same place.
(() => {
  const shape = document.getElementById("rewrite");
  if (!shape) return;
  const isReady = () => document.getElementById("composer")?.dataset.state === "ready";
  const changing = () => document.querySelectorAll(".rewrite");
  let sent = false;

  function begun(turn) {
    const form = shape.content.firstElementChild.cloneNode(true);
    form.elements.replaces.value = turn.id.slice("turn-".length);
    form.elements.text.value = turn.querySelector(":scope > .me > .said").textContent;
    turn.querySelector(":scope > .me").after(form);
    htmx.process(form);
    return form;
  }
  function edit(turn) {
    for (const form of changing()) close(form);
    const { text } = begun(turn).elements;
    turn.classList.add("is-changing");
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  }
  function close(form) {
    const turn = form.closest(".turn");
    form.remove();
    turn.classList.remove("is-changing");
    turn.querySelector(":scope > .my-acts [data-edit]")?.focus();
  }
  function again(turn) {
    if (!isReady()) return;
    for (const form of changing()) close(form);
    const form = begun(turn);
    form.hidden = true;
    form.requestSubmit();
  }

  document.addEventListener("click", ({ target }) => {
    const turn = target.closest(".turn");
    if (target.closest("[data-edit]")) edit(turn);
    else if (target.closest("[data-again]")) again(turn);
    else if (target.closest("[data-cancel]")) close(target.closest("form"));
  });
  document.addEventListener("keydown", (event) => {
    const form = event.target.closest?.(".rewrite");
    if (!form || event.isComposing) return;
    if (event.key === "Escape") close(form);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches(".rewrite")) return;
    if (sent || !isReady() || !form.elements.text.value.trim()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    sent = true;
    form.elements.text.readOnly = true;
    document.getElementById("error")?.replaceChildren();
  }, { capture: true });

  // The old turns are removed when the new one is stored; an error shown below means that it was not.
  function settle(isRefused) {
    if (!sent) return;
    const [form] = changing();
    if (form && !isRefused) return;
    sent = false;
    if (!form) document.getElementById("message")?.focus();
    else if (form.hidden) form.remove();
    else form.elements.text.readOnly = false;
  }
  document.addEventListener("htmx:wsAfterMessage", () => settle(document.getElementById("error")?.childElementCount));
  document.addEventListener("htmx:wsClose", () => settle(true));

  document.addEventListener("htmx:afterSwap", ({ target }) => {
    if (!target.matches?.(".past")) return;
    const place = target.childElementCount ? target : target.parentElement;
    (place.querySelector("[data-step=later]") ?? place.querySelector("[data-step]"))?.focus();
  });
  // Sending closes older versions: the conversation continues from the newest.
  document.addEventListener("learnagent:sent", () => {
    for (const past of document.querySelectorAll(".past")) past.replaceChildren();
  });
})();
