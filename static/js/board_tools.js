// Fingers, pens and mice on the board → items on it.
import { draw, preview, previewAll, ticks } from "./board_draw.js";
import { boxOf, erased } from "./board_erase.js";
import { HEIGHT, WIDTH, add, change, entries, problem, within } from "./board_model.js";
import { stepsOf, wholeNumber } from "./board_words.js";

const NEAR = 2.5; // A point closer than this to the one before is skipped.
const LONGEST = 2000; // A stroke with more points is continued as a new one.
const SMALLEST = 10;
const PALM_MS = 1000; // A touch this soon after the pen is the palm of the hand.
const RUB = 10; // The largest distance between two eraser positions, however fast it moves.
const section = document.getElementById("board");
const paper = section.querySelector(".board-paper");
let tool = "pen";
let colour = "ink";
let drawing = null; // {pointer, isTouch, start, at, points?, rest?}
let penSeen = -PALM_MS;
let frame = 0;

const option = (name) => section.querySelector(`[data-option=${name}]`);
const mark = (kind) => ({ kind, colour, width: kind === "pen" || kind === "line" ? 6 : 5 });
function place({ clientX, clientY }) {
  const box = paper.getBoundingClientRect();
  return [within(((clientX - box.left) / box.width) * WIDTH, WIDTH), within(((clientY - box.top) / box.height) * HEIGHT, HEIGHT)];
}

/** A box between two corners, wherever each is. */
function box([ax, ay], [bx, by]) {
  const [x, y] = [Math.min(ax, bx), Math.min(ay, by)];
  return { x, y, w: within(Math.abs(ax - bx), WIDTH - x), h: within(Math.abs(ay - by), HEIGHT - y) };
}
const isSmall = ({ w, h }) => w < SMALLEST || h < SMALLEST;
function item() {
  const { start, at, points } = drawing;
  if (tool === "pen") return { ...mark("pen"), points };
  if (tool === "line") return { ...mark("line"), start, end: at };
  if (tool === "rectangle" || tool === "ellipse") return { ...mark(tool), ...box(start, at), filled: option("filled").checked };
  if (tool === "fraction_bar" && !isSmall(box(start, at))) return newBar(box(start, at));
  return null;
}
/** Center the item where it was pressed, within the paper. */
function aroundMiddle([x, y], w, h) {
  return { x: within(x - w / 2, WIDTH - w), y: within(y - h / 2, HEIGHT - h), w, h };
}
function newBar(where) {
  const parts = wholeNumber(option("parts").value, 1, 24);
  if (parts === null) return problem(section.dataset.needParts), null;
  return { ...mark("fraction_bar"), ...where, parts, shaded: [] };
}
function newNumberLine([, y]) {
  const steps = stepsOf(option("start").value, option("end").value, option("step").value);
  if (!steps) return problem(section.dataset.needLine), null;
  return { ...mark("number_line"), x: 80, y: within(Math.max(20, y), HEIGHT - 70), w: 840, ...steps, marks: [] };
}
function newText([x, y]) {
  const text = option("text").value.trim();
  if (!text) return option("text").focus(), problem(section.dataset.writeFirst), null;
  option("text").value = "";
  const size = within(Math.max(12, Math.min(44, (WIDTH - x) / (text.length * 0.55))), 120);
  return { ...mark("text"), text, x, y: within(y - size / 2, HEIGHT - size), size };
}

/** Toggle the pressed part of a bar or number of a line; false if neither was pressed. */
function pressedOn(at) {
  const index = entries().findLastIndex(({ items }) => items.length === 1 && items[0].kind === tool && isOn(items[0], at));
  if (index < 0) return false;
  const [pressed] = entries()[index].items;
  change({ entries: entries().with(index, { items: [tool === "fraction_bar" ? shadedAt(pressed, at) : markedAt(pressed, at)] }) });
  return true;
}
function isOn(one, [px, py]) {
  const { x, y, w, h } = boxOf(one);
  return px >= x && px <= x + w && py >= y && py <= y + h;
}
const toggled = (list, one) => (list.includes(one) ? list.filter((each) => each !== one) : [...list, one].sort((a, b) => a - b));
function shadedAt(bar, [x]) {
  const part = Math.min(bar.parts - 1, Math.floor(((x - bar.x) / bar.w) * bar.parts));
  return { ...bar, shaded: toggled(bar.shaded, part) };
}
function markedAt(line, [x]) {
  const nearest = ticks(line).reduce((best, one) => (Math.abs(one.at - x) < Math.abs(best.at - x) ? one : best));
  return { ...line, marks: toggled(line.marks, nearest.number) };
}

function show() {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    if (!drawing) return;
    if (drawing.rest) previewAll(drawing.rest.flatMap(({ items }) => items));
    else preview(item());
  });
}
function rub(at) {
  const [ax, ay] = drawing.at;
  const steps = Math.ceil(Math.hypot(at[0] - ax, at[1] - ay) / RUB) || 1;
  for (let step = 1; step <= steps; step++) {
    drawing.rest = erased(drawing.rest, [ax + ((at[0] - ax) * step) / steps, ay + ((at[1] - ay) * step) / steps]);
  }
}
function goTo(at) {
  if (tool === "eraser") rub(at);
  drawing.at = at;
  if (tool !== "pen") return;
  const last = drawing.points.at(-1);
  if (Math.hypot(at[0] - last[0], at[1] - last[1]) < NEAR) return;
  drawing.points.push(at);
  if (drawing.points.length < LONGEST) return;
  add(item());
  drawing.points = [at];
}
function drop() {
  drawing = null;
  preview();
  draw();
}
function finish() {
  const { start, at, rest } = drawing;
  if (rest) {
    if (rest !== entries()) change({ entries: rest });
  } else {
    const made = tool === "text" ? newText(at) : pressedOrNew(start, at);
    if (made && !(made.w !== undefined && made.h !== undefined && isSmall(made))) add(made);
  }
  drawing = null;
  preview();
}
function pressedOrNew(start, at) {
  if (tool === "number_line") return pressedOn(at) ? null : newNumberLine(at);
  if (tool === "fraction_bar" && isSmall(box(start, at))) return pressedOn(at) ? null : newBar(aroundMiddle(at, 600, 110));
  if (tool === "line" && Math.hypot(start[0] - at[0], start[1] - at[1]) < SMALLEST) return null;
  return item();
}

const isPalm = ({ pointerType, timeStamp }) => pointerType === "touch" && timeStamp - penSeen < PALM_MS;
paper.addEventListener("pointerdown", (event) => {
  if (event.pointerType === "pen") penSeen = event.timeStamp;
  // Two fingers scroll or pinch, and the pen wins over the hand that holds it.
  if (drawing?.isTouch && (event.pointerType !== "touch" || !event.isPrimary)) drop();
  if (drawing || event.button || !event.isPrimary || isPalm(event)) return;
  const start = place(event);
  drawing = { pointer: event.pointerId, isTouch: event.pointerType === "touch", start, at: start };
  if (tool === "pen") drawing.points = [start];
  if (tool === "eraser") drawing.rest = entries(), rub(start);
  paper.setPointerCapture(event.pointerId);
  show();
});
paper.addEventListener("pointermove", (event) => {
  if (event.pointerType === "pen") penSeen = event.timeStamp;
  if (drawing?.pointer !== event.pointerId) return;
  if (!event.buttons) return finish();
  const all = event.getCoalescedEvents?.() ?? [];
  for (const each of all.length ? all : [event]) goTo(place(each));
  show();
});
paper.addEventListener("pointerup", (event) => {
  if (drawing?.pointer !== event.pointerId) return;
  goTo(place(event));
  finish();
});
paper.addEventListener("pointercancel", (event) => drawing?.pointer === event.pointerId && drop());
paper.addEventListener("lostpointercapture", (event) => drawing?.pointer === event.pointerId && finish());
// A finger lifted while moving would count as a fling, and the next press as the end of it.
paper.addEventListener("touchmove", (event) => event.touches.length === 1 && event.cancelable && event.preventDefault(), { passive: false });
paper.addEventListener("contextmenu", (event) => event.preventDefault());

export function take(name) {
  if (drawing) drop();
  tool = name;
  for (const button of section.querySelectorAll("button[data-tool]")) button.setAttribute("aria-pressed", button.dataset.tool === name);
  for (const row of section.querySelectorAll(".board-options")) row.hidden = !row.dataset.for.split(" ").includes(name);
  paper.dataset.with = name;
}
export function dip(name) {
  colour = name;
  for (const button of section.querySelectorAll("[data-colour]")) button.setAttribute("aria-pressed", button.dataset.colour === name);
}
