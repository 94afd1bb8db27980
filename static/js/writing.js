// Writing courses: what is typed is not lost by leaving the page, a press on Save is not lost by a new preview, a new
// kind of exercise shows its fields, and a fault leads to its line.
(() => {
  let isDirty = false;
  document.addEventListener("input", (event) => {
    if (event.target.closest("[data-writing]")) isDirty = true;
  });
  document.addEventListener("submit", (event) => {
    if (event.target.closest("[data-writing]")) isDirty = false;
  });
  addEventListener("beforeunload", (event) => isDirty && event.preventDefault());

  // A new preview moves the button when faults above it come or go. A button that moves between press and release is
  // not clicked.
  let isSavePressed = false;
  addEventListener("pointerdown", (event) => (isSavePressed = Boolean(event.target.closest("[data-saves]"))));
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => (isSavePressed = false));
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (isSavePressed) event.detail.shouldSwap = false;
  });

  // Other kinds have other fields: saving shows them.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-kind]");
    if (form && event.target.name === "kind") form.requestSubmit();
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-line]");
    const field = document.getElementById("file-text");
    if (!link || !field) return;
    event.preventDefault();
    const before = field.value.split("\n").slice(0, link.dataset.line - 1);
    const start = before.length ? before.join("\n").length + 1 : 0;
    const end = field.value.indexOf("\n", start);
    field.focus();
    field.setSelectionRange(start, end < 0 ? field.value.length : end);
    field.scrollTop = Math.max(0, (before.length - 5) * (field.scrollHeight / field.value.split("\n").length));
  });
})();
