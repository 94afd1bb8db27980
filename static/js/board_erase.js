// What an eraser leaves: a stroke drawn by hand loses the erased part; any other item is removed whole.
import { ticks } from "./board_draw.js";

const NEAR = 14;

/** How far a place is from the straight line between two others. */
function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = dx || dy ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy))) : 0;
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
const corners = ({ x, y, w, h }) => [[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]];
function round({ x, y, w, h }) {
  return Array.from({ length: 33 }, (_, at) => [x + (w / 2) * (1 + Math.cos((at * Math.PI) / 16)), y + (h / 2) * (1 + Math.sin((at * Math.PI) / 16))]);
}
const isInside = ([px, py], { x, y, w, h }) => px >= x && px <= x + w && py >= y && py <= y + h;
/** The approximate box of a line of text: letters are about half as wide as high. */
const boxOfText = ({ x, y, text, size }) => ({ x, y, w: text.length * size * 0.55, h: size * 1.2 });
/** The box that holds an item. */
export function boxOf(item) {
  if (item.kind === "text") return boxOfText(item);
  if (item.kind === "number_line") return { x: item.x - 14, y: item.y - 16, w: item.w + 28, h: 76 };
  const list = item.points ?? (item.kind === "line" ? [item.start, item.end] : corners(item));
  const [xs, ys] = [list.map(([x]) => x), list.map(([, y]) => y)];
  const [x, y] = [xs.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.min(a, b))];
  return { x, y, w: xs.reduce((a, b) => Math.max(a, b)) - x, h: ys.reduce((a, b) => Math.max(a, b)) - y };
}
function outline(item) {
  if (item.kind === "line") return [item.start, item.end];
  if (item.kind === "number_line") return [[item.x, item.y], [ticks(item).at(-1).at, item.y]];
  return item.kind === "ellipse" ? round(item) : corners(item);
}
function isTouched(item, at) {
  if (item.kind === "text") return isInside(at, boxOfText(item));
  if ((item.filled || item.kind === "fraction_bar") && isInside(at, item)) return true;
  const line = outline(item);
  return line.slice(1).some((end, place) => distance(at, line[place], end) < NEAR);
}
function left(stroke, at) {
  const { points } = stroke;
  if (points.length === 1) return distance(at, points[0], points[0]) < NEAR ? [] : [stroke];
  const runs = [];
  let run = [points[0]];
  let wasHit = false;
  for (let place = 1; place < points.length; place++) {
    if (distance(at, points[place - 1], points[place]) < NEAR) {
      wasHit = true;
      if (run.length > 1) runs.push(run);
      run = [];
    }
    run.push(points[place]);
  }
  if (!wasHit) return [stroke];
  if (run.length > 1) runs.push(run);
  return runs.map((each) => ({ ...stroke, points: each }));
}
function isNear([x, y], box) {
  return x > box.x - NEAR && x < box.x + box.w + NEAR && y > box.y - NEAR && y < box.y + box.h + NEAR;
}
/** The entries left after erasing at a place; the same list object if nothing was touched. */
export function erased(entries, at) {
  const rest = entries.flatMap((entry) => {
    const items = entry.items.flatMap((item) => {
      if (!isNear(at, boxOf(item))) return [item];
      if (item.kind === "pen") return left(item, at);
      return isTouched(item, at) ? [] : [item];
    });
    if (items.length === entry.items.length && items.every((item, place) => item === entry.items[place])) return [entry];
    return items.map((item) => ({ items: [item] }));
  });
  return rest.length === entries.length && rest.every((entry, place) => entry === entries[place]) ? entries : rest;
}
