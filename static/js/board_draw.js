// Draws the board: one canvas for what is on it, one above it for what is being drawn.
import { HEIGHT, WIDTH, hasGrid, items, onChange } from "./board_model.js";
import { written } from "./board_words.js";

const GRID = 50;
const section = document.getElementById("board");
const paper = section.querySelector(".board-paper");
const [still, live] = [...paper.querySelectorAll("canvas")].map((canvas) => canvas.getContext("2d"));
let colours = {};

/** The current CSS value of a named colour, read from its swatch. */
function readColours() {
  const of = (piece) => getComputedStyle(piece).color;
  colours = { line: of(paper) };
  for (const swatch of section.querySelectorAll("[data-colour]")) colours[swatch.dataset.colour] = of(swatch);
}
const colour = (name) => colours[name] ?? colours.ink;

function fit() {
  const scale = (paper.clientWidth / WIDTH) * (devicePixelRatio || 1);
  if (!scale) return;
  for (const { canvas } of [still, live]) {
    canvas.width = Math.round(WIDTH * scale);
    canvas.height = Math.round(HEIGHT * scale);
    canvas.getContext("2d").setTransform(scale, 0, 0, scale, 0, 0);
  }
  draw();
}

function begin(layer, item) {
  layer.strokeStyle = layer.fillStyle = colour(item.colour);
  layer.lineWidth = item.width ?? 4;
  layer.lineCap = layer.lineJoin = "round";
  layer.beginPath();
}
function pen(layer, { points, width }) {
  const [[x, y]] = points;
  if (points.length === 1) return layer.arc(x, y, width / 2, 0, 7), layer.fill();
  layer.moveTo(x, y);
  for (let at = 1; at < points.length - 1; at++) {
    const [[px, py], [qx, qy]] = [points[at], points[at + 1]];
    layer.quadraticCurveTo(px, py, (px + qx) / 2, (py + qy) / 2);
  }
  layer.lineTo(...points.at(-1));
  layer.stroke();
}
function shape(layer, isFilled) {
  layer.stroke();
  if (!isFilled) return;
  layer.globalAlpha = 0.45;
  layer.fill();
  layer.globalAlpha = 1;
}
function bar(layer, { x, y, w, h, parts, shaded }) {
  layer.globalAlpha = 0.45;
  for (const part of shaded) layer.fillRect(x + (part * w) / parts, y, w / parts, h);
  layer.globalAlpha = 1;
  layer.rect(x, y, w, h);
  for (let part = 1; part < parts; part++) {
    const at = x + (part * w) / parts;
    layer.moveTo(at, y), layer.lineTo(at, y + h);
  }
  layer.stroke();
}
/** The numbers of a number line, each with its place from the left. */
export function ticks({ start, end, step, x, w }) {
  const count = Math.floor((end - start) / step + 1e-6);
  return Array.from({ length: count + 1 }, (_, at) => {
    const number = Math.round((start + at * step) * 1e6) / 1e6;
    return { number: Math.min(Math.max(number, start), end), at: x + ((number - start) / (end - start)) * w };
  });
}
function numberLine(layer, item) {
  const { x, y, w, step, marks } = item;
  const all = ticks(item);
  const every = Math.ceil(all.length / 13);
  layer.moveTo(x, y), layer.lineTo(x + w, y);
  for (const { at } of all) layer.moveTo(at, y - 14), layer.lineTo(at, y + 14);
  layer.stroke();
  letters(layer, 28, "center");
  all.forEach(({ number, at }, place) => place % every || layer.fillText(written(number, step), at, y + 24));
  for (const { at } of all.filter(({ number }) => marks.some((mark) => Math.abs(mark - number) < 1e-6))) {
    layer.beginPath(), layer.arc(at, y, 13, 0, 7), layer.fill();
  }
}
function letters(layer, size, align) {
  layer.font = `500 ${size}px ${getComputedStyle(section).fontFamily}`;
  layer.textBaseline = "top";
  layer.textAlign = align;
}
function text(layer, { text: words, x, y, size }) {
  letters(layer, size, "left");
  layer.fillText(words, x, y);
}
const DRAWN = {
  pen,
  line: (layer, { start, end }) => (layer.moveTo(...start), layer.lineTo(...end), layer.stroke()),
  rectangle: (layer, { x, y, w, h, filled }) => (layer.rect(x, y, w, h), shape(layer, filled)),
  ellipse: (layer, { x, y, w, h, filled }) => (layer.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, 7), shape(layer, filled)),
  text,
  fraction_bar: bar,
  number_line: numberLine,
};
function put(layer, item) {
  begin(layer, item);
  DRAWN[item.kind]?.(layer, item);
}
function grid() {
  still.beginPath();
  still.strokeStyle = colours.line;
  still.lineWidth = 1;
  for (let x = GRID; x < WIDTH; x += GRID) still.moveTo(x, 0), still.lineTo(x, HEIGHT);
  for (let y = GRID; y < HEIGHT; y += GRID) still.moveTo(0, y), still.lineTo(WIDTH, y);
  still.stroke();
}

export function draw() {
  still.clearRect(0, 0, WIDTH, HEIGHT);
  if (hasGrid()) grid();
  for (const item of items()) put(still, item);
}
/** Show what is being drawn, or nothing. While erasing, this replaces what is on the board. */
export function preview(item) {
  live.clearRect(0, 0, WIDTH, HEIGHT);
  if (item) put(live, item);
}
export function previewAll(list) {
  still.clearRect(0, 0, WIDTH, HEIGHT);
  if (hasGrid()) grid();
  for (const item of list) put(still, item);
}

function dress() {
  readColours();
  draw();
}
onChange(draw);
new ResizeObserver(fit).observe(paper);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
new MutationObserver(dress).observe(document.documentElement, { attributeFilter: ["data-theme"] });
document.fonts?.ready.then(draw);
readColours();
fit();
