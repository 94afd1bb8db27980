// Holds one board: its state, what was before it, the drawing, the sentence below it, and the answer that is posted.
import { box, button, sentence } from "./manipulative_drawing.js";

const MOST_UNDONE = 200;
// Unfinished work by question, for when the card arrives again without a new answer.
const unfinished = new Map();

export function hold(root, tool) {
  const board = JSON.parse(root.dataset.board);
  const words = JSON.parse(root.dataset.words);
  const find = (name) => root.querySelector(`[data-${name}]`);
  const stage = find("stage");
  const answer = find("answer");
  const fields = find("by-hand");
  const start = tool.read(root.dataset.state, board);
  const memo = {};
  let states = [start];
  let isDragged = false;

  const before = unfinished.get(root.dataset.question);
  if (before?.from === root.dataset.state) states = before.states;

  fields.disabled = true;
  fields.hidden = true;
  answer.disabled = false;
  for (const name of ["tells", "keys"]) find(name).hidden = false;
  find("keys").textContent = words.keys;
  stage.replaceChildren();
  const place = box(stage, "board-place");
  const tools = box(stage, "board-tools");

  const state = () => states.at(-1);
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  function change(next, focus) {
    if (isDragged) states[states.length - 1] = next;
    else if (!isSame(next, state())) states.push(next);
    if (states.length > MOST_UNDONE) states.splice(1, 1);
    show(focus);
  }
  // All of a drag is undone at once; one that is cancelled leaves no trace.
  function beginDrag() {
    states.push(state());
    isDragged = true;
  }
  function endDrag(isCancelled = false) {
    const [was, now] = states.slice(-2);
    isDragged = false;
    if (isCancelled || isSame(was, now)) states.pop();
    show();
  }
  const context = { board, words, place, tools, memo, change, beginDrag, endDrag, show, root };

  function show(focus) {
    const active = place.contains(document.activeElement) || tools.contains(document.activeElement) ? document.activeElement : null;
    const key = focus ?? active?.dataset.key;
    tools.replaceChildren();
    tool.draw({ ...context, state: state() });
    button(tools, words.undo, "undo", () => { states.pop(); show("undo"); }, { disabled: states.length < 2 });
    button(tools, words.again, "again", () => change(tool.read(startText(), board), "again"), { disabled: isSame(state(), tool.read(startText(), board)) });
    const told = document.createElement("span");
    told.append(tool.tell({ ...context, state: state() }, sentence));
    if (find("tells").innerHTML !== told.innerHTML) find("tells").replaceChildren(...told.childNodes);
    answer.value = tool.write(state(), board);
    answer.dispatchEvent(new Event("change", { bubbles: true }));
    allowCheck();
    unfinished.set(root.dataset.question, { from: root.dataset.state, states });
    if ((active || focus) && key) restore(key);
  }
  // What to start from again is the board as it was asked, not the last answer.
  function startText() {
    return tool.write(tool.read(tool.empty?.(board) ?? "", board), board);
  }
  // Nothing was done yet: there is nothing to send.
  function allowCheck() {
    const check = root.closest("form")?.querySelector("[name=action][value=check]");
    if (check) check.disabled = !answer.value;
  }
  answer.addEventListener("input", allowCheck);
  function restore(key) {
    const same = stage.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const other = stage.querySelector("[data-key]:not(:disabled)");
    (same && !same.disabled ? same : other)?.focus({ preventScroll: true });
  }
  show();
}
