// Keeps the reader's place when a piece of the page is replaced: focus, and what is half typed.
// A new piece may name its own place with data-focus; it takes the focus only where the old piece had it.
(() => {
  let held = null;

  const typed = (root) =>
    [...root.querySelectorAll("input[id]:not([type=hidden]), textarea[id], select[id]")]
      .filter((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked)
      .map((field) => [field.id, field.value, field.checked]);

  // data-focus names the presses that lead there: data-focus="check hint".
  function remember(target, asked) {
    const active = document.activeElement;
    held = { id: target.id, had: target.contains(active), active: active?.id, asked, values: asked ? [] : typed(target) };
  }

  function restore() {
    if (!held) return;
    const { id, had, active, asked, values } = held;
    held = null;
    for (const [name, value, isChecked] of values) {
      const field = document.getElementById(name);
      if (field?.type === "radio" || field?.type === "checkbox") field.checked = isChecked;
      else if (field && !field.value) field.value = value;
    }
    const root = document.getElementById(id);
    if (!had || !root) return;
    const named = (asked && root.querySelector(`[data-focus~="${CSS.escape(asked)}"]`)) || root.querySelector("[data-focus]");
    const same = active ? root.querySelector(`#${CSS.escape(active)}:not(:disabled)`) : null;
    const home = document.querySelector("[data-focus-home]:not(:disabled)");
    // Whoever pressed a button is led to what it brought; whoever is typing is left where they are.
    const place = asked ? (named ?? same ?? home) : (same ?? named ?? home);
    if (place !== document.activeElement) place?.focus();
  }

  document.addEventListener("htmx:oobBeforeSwap", (event) => remember(event.detail.target, ""));
  document.addEventListener("htmx:oobAfterSwap", restore);
  document.addEventListener("htmx:wsAfterMessage", restore);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { shouldSwap, target, requestConfig } = event.detail;
    if (shouldSwap) remember(target, requestConfig?.parameters?.action || "press");
  });
  // Not after settling, 20 ms later: the socket may replace another piece in between.
  document.addEventListener("htmx:afterSwap", restore);
})();
