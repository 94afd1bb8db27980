// Keeps the reader's place when part of the page is replaced: focus, and half-typed text.
// A new part may name its focus target with data-focus; it gets the focus only if the old part had it.
(() => {
  let held = null;
  let request = null; // What was pressed on a card, until its result arrives: in the response, or over the socket.

  const typed = (root) =>
    [...root.querySelectorAll("input[id]:not([type=hidden]), textarea[id], select[id]")]
      .filter((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked)
      .map((field) => [field.id, field.value, field.checked]);

  const isAsMade = (field) => (field.options ? field.options[field.selectedIndex].defaultSelected : field.value === field.defaultValue);

  // Parts that arrive again in another place; live.js removes them from the old one.
  const moving = (fragment, target) =>
    [...fragment.querySelectorAll(".slot[id]")]
      .map((slot) => document.getElementById(slot.id))
      .filter((slot) => slot && !target.contains(slot));

  // data-focus names the buttons that lead there: data-focus="check hint".
  function remember(target, asked, moved = []) {
    const active = document.activeElement;
    const pieces = [target, ...moved];
    // The bar presses the buttons of a card. Its own button may be off by now, and have lost the focus.
    const isPressed = asked && (active === document.body ? request?.isFromBar : active?.closest("#bar"));
    const had = isPressed ? target : pieces.find((piece) => piece.contains(active));
    held = { element: active, id: had?.id, isMoved: moved.includes(had), active: active?.id, asked, values: asked ? [] : pieces.flatMap(typed) };
  }

  function restore() {
    if (!held) return;
    const { element, id, isMoved, active, asked, values } = held;
    held = null;
    for (const [name, value, isChecked] of values) {
      const field = document.getElementById(name);
      if (field?.type === "radio" || field?.type === "checkbox") field.checked = isChecked;
      else if (field && (!field.value || isAsMade(field))) field.value = value;
    }
    if (!asked && element?.isConnected && element === document.activeElement) return;
    const root = id && document.getElementById(id);
    if (!root) return;
    const named = (asked && root.querySelector(`[data-focus~="${CSS.escape(asked)}"]`)) || root.querySelector("[data-focus]");
    const same = active ? root.querySelector(`#${CSS.escape(active)}:not(:disabled)`) : null;
    const home = document.querySelector("[data-focus-home]:not(:disabled)");
    // After a button press, the focus moves to the result; while typing, it stays.
    const place = asked ? (named ?? same ?? home) : (same ?? named ?? home);
    // Moved parts are scrolled to by scroll.js.
    if (place !== document.activeElement) place?.focus({ preventScroll: isMoved });
  }

  // If the socket has replaced the card already, htmx drops the response.
  const holdsResult = (fragment) => request && fragment.querySelector(`#${CSS.escape(request.id)} [data-focus~="${CSS.escape(request.action)}"]`);

  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const { parameters } = detail.requestConfig;
    if (!detail.target.id) return;
    request = { id: detail.target.id, action: parameters?.action || "press", isFromBar: Boolean(document.activeElement?.closest("#bar")) };
  });
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    const { target, fragment } = detail;
    const asked = holdsResult(fragment) ? request.action : "";
    remember(target, asked, moving(fragment, target));
    if (asked) request = null;
  });
  document.addEventListener("htmx:oobAfterSwap", restore);
  document.addEventListener("htmx:wsAfterMessage", restore);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { shouldSwap, target, requestConfig } = event.detail;
    if (shouldSwap) remember(target, requestConfig?.parameters?.action || "press");
    request = null;
  });
  // Not after settling, 20 ms later: the socket may replace another part in between.
  document.addEventListener("htmx:afterSwap", restore);
  // A form sent before this script ran comes back as a whole page, whose address names the piece.
  document.getElementById(location.hash.slice(1))?.querySelector("[data-focus]")?.focus();
})();
