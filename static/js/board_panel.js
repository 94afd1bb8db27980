// The drawing board's buttons. Fetched by board.js when the board is first wanted.
import { canRedo, canUndo, change, clear, hasGrid, isEmpty, onChange, redo, undo } from "./board_model.js";
import "./board_draw.js";
import "./board_numbers.js";
import { flush, forget } from "./board_send.js";
import { dip, take } from "./board_tools.js";

export { flush, forget, isEmpty };

const section = document.getElementById("board");
const button = (name) => section.querySelector(`[data-board=${name}]`);

// Text in the message box is sent with the drawing; otherwise the drawing is sent alone.
function ask() {
  if (isEmpty()) return;
  const box = document.getElementById("message");
  if (box.value.trim()) return document.getElementById("compose").requestSubmit();
  document.dispatchEvent(new CustomEvent("learnagent:say", { detail: { text: section.dataset.say, attachments: [] } }));
}
const PRESSED = { ask, undo, redo, clear, grid: () => change({ grid: !hasGrid() }) };

section.addEventListener("click", ({ target }) => {
  const pressed = target.closest("button");
  if (!pressed || pressed.getAttribute("aria-disabled") === "true") return;
  if (pressed.dataset.tool) take(pressed.dataset.tool);
  if (pressed.dataset.colour) dip(pressed.dataset.colour);
  PRESSED[pressed.dataset.board]?.();
});
section.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  key === "y" || event.shiftKey ? redo() : undo();
});

// A button that becomes unavailable while pressed keeps the focus: it is dimmed, not disabled.
function tell() {
  const isAble = { ask: !isEmpty(), undo: canUndo(), redo: canRedo(), clear: !isEmpty() };
  for (const [name, able] of Object.entries(isAble)) {
    button(name).disabled = false;
    button(name).setAttribute("aria-disabled", !able);
  }
  section.querySelector(".board-hint").hidden = !isEmpty();
  button("grid").setAttribute("aria-pressed", hasGrid());
}
onChange(tell);
tell();
take("pen");
