// Sends snapshots of the board to the server: when drawing has paused, while it goes on, and before a message is sent
// with it. One is sent at a time, and of those waiting only the latest. What could not be sent is sent later.
import { content, isEmpty, onChange, problem, shelf } from "./board_model.js";

const SETTLED_MS = 1200;
const EVERY_MS = 10_000;
const AGAIN_MS = 5000;
const PATIENCE_MS = 3000;
const section = document.getElementById("board");
const words = section.dataset;
const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
const seenShelf = `${shelf}:seen`;
let seen = {}; // {mark, id}: the last snapshot sent, and its id on the server.
let refused; // The mark of a drawing that the server refused.
let flying = null; // The promise of the snapshot being sent.
let settling;
let ticking;
let again;

/** A hash of a drawing: equal drawings have equal hashes. */
function markOf(text) {
  let mark = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}:${mark >>> 0}`;
}
function show(line) {
  const place = document.getElementById("board-seen");
  if (place.textContent !== line) place.textContent = line;
}
function keep(next) {
  seen = next;
  try {
    sessionStorage.setItem(seenShelf, JSON.stringify(seen));
  } catch {}
}
function tell() {
  if (isEmpty()) return show("");
  const mark = markOf(content());
  if (mark === refused) return show("");
  if (mark === seen.mark) return show(words.seen);
  show(again ? words.lost : words.unseen);
}

async function answered(response, mark) {
  const told = await response.json().catch(() => null);
  // An empty board is accepted too, and has no id.
  if (response.ok && told && "id" in told) {
    refused = undefined;
    problem();
    keep({ mark, id: told.id ?? undefined });
    return seen.id;
  }
  if (response.status >= 500 || response.status === 429) throw new Error("later");
  refused = mark;
  problem(told?.error?.message ?? words.refused);
  return undefined;
}
async function post(text, mark) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token };
  const response = await fetch(words.address, { method: "POST", headers, body: text, signal: AbortSignal.timeout(PATIENCE_MS) });
  return answered(response, mark);
}
function rest() {
  clearTimeout(settling);
  clearTimeout(ticking);
  clearTimeout(again);
  settling = ticking = again = undefined;
}
/** Send the board as it is now, unless it was sent already. Return its id, undefined if refused. Throw if offline. */
export async function flush() {
  const text = content();
  const mark = markOf(text);
  rest();
  while (flying) await flying.catch(() => {});
  if (mark === seen.mark) return tell(), seen.id;
  if (mark === refused) return undefined;
  flying = post(text, mark);
  try {
    return await flying;
  } catch (error) {
    again = setTimeout(settle, AGAIN_MS);
    throw error;
  } finally {
    flying = null;
    tell();
  }
}
function settle() {
  if (flying) {
    clearTimeout(settling);
    settling = setTimeout(settle, SETTLED_MS);
    return;
  }
  if (isEmpty() && !seen.id) return rest();
  flush().catch(() => {});
}
/** Forget what was sent: the server has deleted it. */
export function forget() {
  keep({});
}

onChange(() => {
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED_MS);
  ticking ??= setTimeout(settle, EVERY_MS);
  tell();
});
addEventListener("online", settle);
try {
  seen = JSON.parse(sessionStorage.getItem(seenShelf)) ?? {};
} catch {}
tell();
if (markOf(content()) !== seen.mark) settle();
