// Keeps the reader's place when a piece of the page is replaced: focus, and what is half typed.
// A new piece may name its own place with data-focus; it takes the focus only where the old piece had it.
(() => {
  let pending = null;

  const typed = (root) =>
    [...root.querySelectorAll("input[id]:not([type=hidden]), textarea[id]")]
      .filter((field) => !["radio", "checkbox"].includes(field.type) && field.value !== field.defaultValue)
      .map((field) => [field.id, field.value]);

  function remember(target, keepTyped) {
    const active = document.activeElement;
    pending = {
      rootId: target.id,
      had: target.contains(active),
      activeId: active?.id,
      values: keepTyped ? typed(target) : [],
    };
  }

  function restore() {
    if (!pending) return;
    const { rootId, had, activeId, values } = pending;
    pending = null;
    for (const [id, value] of values) {
      const field = document.getElementById(id);
      if (field && !field.value && !field.disabled) field.value = value;
    }
    const root = document.getElementById(rootId);
    if (!had || !root || root.contains(document.activeElement)) return;
    const same = activeId && document.getElementById(activeId);
    const place =
      root.querySelector("[data-focus]") ||
      (same && !same.disabled && root.contains(same) ? same : null) ||
      document.querySelector("[data-focus-home]:not(:disabled)");
    place?.focus({ preventScroll: false });
  }

  // A swap the reader asked for (a form's answer) and one the socket brings take the same road.
  document.addEventListener("htmx:oobBeforeSwap", (event) => remember(event.detail.target, true));
  document.addEventListener("htmx:oobAfterSwap", restore);
  document.addEventListener("htmx:wsAfterMessage", restore);
  document.addEventListener("htmx:beforeSwap", (event) => event.detail.shouldSwap && remember(event.detail.target, false));
  document.addEventListener("htmx:afterSettle", restore);
})();
