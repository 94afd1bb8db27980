// What is on the drawing board: entries, each one or more items as the server knows them, on paper of 1000 x 700. Every
// change makes a new list, so undo goes back to the previous list. Kept in this tab, also after a reload.
export const WIDTH = 1000;
export const HEIGHT = 700;
const MOST_ITEMS = 600;
const MOST_POINTS = 20_000;
const MOST_BACK = 100;

const section = document.getElementById("board");
export const shelf = `board:${document.body.dataset.person}:${location.pathname}`;
const heard = new EventTarget();
let state = { grid: false, entries: [] };
let past = [];
let future = [];

export const entries = () => state.entries;
export const hasGrid = () => state.grid;
export const isEmpty = () => !state.entries.length;
export const items = () => state.entries.flatMap((entry) => entry.items);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;
export const onChange = (listener) => heard.addEventListener("change", listener);
/** The board as it is sent. */
export const content = () => JSON.stringify({ width: WIDTH, height: HEIGHT, grid: state.grid, items: items() });

export const within = (number, most) => Math.round(Math.min(most, Math.max(0, number)) * 10) / 10;
const points = (list) => list.reduce((sum, entry) => sum + entry.items.reduce((all, item) => all + (item.points?.length ?? 0), 0), 0);
const isTooMuch = (list) => list.reduce((sum, entry) => sum + entry.items.length, 0) > MOST_ITEMS || points(list) > MOST_POINTS;

export function say(words) {
  document.getElementById("board-said").textContent = words;
}
export function problem(words = "") {
  document.getElementById("board-problem").textContent = words;
}

function now(next) {
  state = next;
  problem();
  keep();
  heard.dispatchEvent(new Event("change"));
}
/** Accept the new state; false, with a message, if it is larger than the server accepts. */
export function change(next) {
  const after = { ...state, ...next };
  if (isTooMuch(after.entries) && after.entries.length >= state.entries.length) {
    problem(section.dataset.full);
    return false;
  }
  past = [...past.slice(1 - MOST_BACK), state];
  future = [];
  now(after);
  return true;
}
export const add = (...added) => change({ entries: [...state.entries, { items: added }] });

export function undo() {
  if (!past.length) return;
  future = [...future, state];
  const before = past.at(-1);
  past = past.slice(0, -1);
  now(before);
  say(section.dataset.undone);
}
export function redo() {
  if (!future.length) return;
  past = [...past, state];
  const after = future.at(-1);
  future = future.slice(0, -1);
  now(after);
  say(section.dataset.redone);
}
export function clear() {
  if (change({ entries: [] })) say(section.dataset.cleared);
}

// A private window may refuse storage, and a long drawing may not fit. Then the board lasts only as long as the page.
let later;
function keep() {
  clearTimeout(later);
  later = setTimeout(() => {
    try {
      if (isEmpty() && !state.grid) sessionStorage.removeItem(shelf);
      else sessionStorage.setItem(shelf, JSON.stringify(state));
    } catch {}
  }, 200);
}
function restore() {
  let kept;
  try {
    kept = JSON.parse(sessionStorage.getItem(shelf));
  } catch {}
  if (!Array.isArray(kept?.entries)) return;
  const whole = kept.entries.filter((entry) => Array.isArray(entry?.items));
  while (isTooMuch(whole)) whole.length = Math.min(whole.length - 1, MOST_ITEMS);
  state = { grid: Boolean(kept.grid), entries: whole };
  if (whole.length < kept.entries.length) problem(section.dataset.gone);
}
addEventListener("pagehide", () => {
  clearTimeout(later);
  try {
    if (!isEmpty()) sessionStorage.setItem(shelf, JSON.stringify(state));
  } catch {}
});
restore();
