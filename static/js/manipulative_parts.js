// Shading parts, and cutting a bar or a circle.
import { NAMES, WIDTH, button, canvas, clamp, drags, fraction, label, read, shape, size, slides, spoken, write } from "./manipulative_drawing.js";

const HEIGHT = 72;
const CATCH = 6 / WIDTH; // A cut catches at a fair place this near.
const STEP = 0.01;
const APART = 0.02; // Cuts keep this distance from each other and from the ends.
const MOST_PARTS = 12;

function onCircle(turn, radius) {
  const angle = 2 * Math.PI * turn;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)].map((number) => number.toFixed(2));
}
function slice(from, to, radius) {
  const wide = to - from > 0.5 ? 1 : 0;
  return `M0 0L${onCircle(from, radius)}A${radius} ${radius} 0 ${wide} 1 ${onCircle(to, radius)}Z`;
}

// --- Shading ---
function partsOf(board) {
  const { shape: kind, rows, columns } = board;
  if (kind === "circle") return Array.from({ length: board.parts }, (_, i) => ["path", { d: slice(i / board.parts, (i + 1) / board.parts, 100) }]);
  if (kind === "bar") {
    const width = WIDTH / board.parts;
    return Array.from({ length: board.parts }, (_, i) => ["rect", { x: i * width, y: 0, width, height: HEIGHT }]);
  }
  const cell = cellOf(board);
  return Array.from({ length: rows * columns }, (_, i) => [
    "rect",
    { x: (i % columns) * cell, y: Math.floor(i / columns) * cell, width: cell, height: cell },
  ]);
}
const cellOf = ({ columns }) => Math.min(WIDTH / columns, 64);
function viewOf(board) {
  if (board.shape === "circle") return [-104, -104, 208, 208];
  if (board.shape === "bar") return [-4, -4, WIDTH + 8, HEIGHT + 8];
  return [-4, -4, cellOf(board) * board.columns + 8, cellOf(board) * board.rows + 8];
}

export const shade = {
  read: (text) => text.split(",").filter(Boolean).map((number) => Number(number) - 1),
  write: (state) => [...state].sort((a, b) => a - b).map((index) => index + 1).join(","),
  empty: (board) => board.shaded.map((index) => index + 1).join(","),
  draw({ board, words, state, place, memo, change }) {
    place.replaceChildren();
    const view = viewOf(board);
    const svg = canvas(place, view, words.board, view[2] < 300 ? "is-small" : "");
    const parts = partsOf(board);
    const across = board.shape === "grid" ? board.columns : 1;
    memo.at = clamp(memo.at ?? 0, 0, parts.length - 1);
    parts.forEach(([tag, attributes], index) => {
      const is = state.includes(index);
      const part = shape(tag, {
        ...attributes, class: `part ${is ? "pic-shaded pic-striped" : "pic-blank"}`, role: "checkbox", "aria-checked": is,
        "aria-label": spoken(words.part, { number: index + 1, all: parts.length }), tabindex: index === memo.at ? 0 : -1, "data-key": `part-${index}`,
      }, svg);
      const flip = () => {
        memo.at = index;
        change(is ? state.filter((each) => each !== index) : [...state, index], `part-${index}`);
      };
      part.addEventListener("click", flip);
      part.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
        const to = by ? index + by : { Home: 0, End: parts.length - 1 }[event.key];
        if (event.key === " " || event.key === "Enter") flip();
        else if (to === undefined) return;
        else if (to >= 0 && to < parts.length) {
          memo.at = to;
          part.setAttribute("tabindex", -1);
          const next = svg.querySelector(`[data-key="part-${to}"]`);
          next.setAttribute("tabindex", 0);
          next.focus();
        }
        event.preventDefault();
      });
    });
  },
  tell({ board, words, state }, sentence) {
    const all = partsOf(board).length;
    const count = state.length;
    const told = count === 0 ? words.none : count === 1 ? words.one : words.many;
    // As it stands, not in lowest terms: the parts are counted here.
    return sentence(told, { count, all, fraction: [count, all] });
  },
};

// --- Cutting ---
function caught(value, parts) {
  const fair = Array.from({ length: parts - 1 }, (_, k) => (k + 1) / parts).find((each) => Math.abs(each - value) < CATCH);
  return fair ?? value;
}
// By keys, a cut stops at a fair place that it would step over.
function stepped(from, to, parts) {
  const fair = Array.from({ length: parts - 1 }, (_, k) => (k + 1) / parts);
  const near = fair.find((each) => Math.abs(each - to) < STEP / 2 && Math.abs(each - from) > 1e-6);
  return near ?? Math.round(to * 1000) / 1000;
}
function placed(cuts) {
  const parts = cuts.length + 1;
  return cuts.map((cut, index) => {
    const fair = (index + 1) / parts;
    return Math.abs(cut - fair) < 1e-6 ? write(fraction(index + 1, parts)) : String(Math.round(cut * 1000) / 1000);
  });
}
const lengthsOf = (cuts) => [...cuts, 1].map((cut, index) => cut - (cuts[index - 1] ?? 0));

function oneMore(cuts) {
  const lengths = lengthsOf(cuts);
  const longest = lengths.reduce((best, each, index) => (each > lengths[best] + 1e-6 ? index : best), 0);
  const from = cuts[longest - 1] ?? 0;
  const cut = from + lengths[longest] / 2;
  return [...cuts, cut].sort((a, b) => a - b);
}
const limits = (cuts, index) => [(cuts[index - 1] ?? 0) + APART, (cuts[index + 1] ?? 1) - APART];
function moved(cuts, index, to) {
  return cuts.map((cut, each) => (each === index ? clamp(to, ...limits(cuts, index)) : cut));
}

function drawBar(svg, cuts) {
  const edges = [0, ...cuts, 1].map((edge) => edge * WIDTH);
  edges.slice(1).forEach((edge, index) => {
    shape("rect", { class: "pic-blank", x: edges[index], y: 0, width: edge - edges[index], height: HEIGHT }, svg);
    if (cuts.length) label(NAMES[index], (edge + edges[index]) / 2, HEIGHT / 2 + 5, svg);
  });
}
function drawCircle(svg, cuts) {
  const edges = [0, ...cuts, 1];
  if (!cuts.length) shape("circle", { class: "pic-blank", r: 100 }, svg);
  edges.slice(1).forEach((edge, index) => {
    if (cuts.length) shape("path", { class: "pic-blank", d: slice(edges[index], edge, 100) }, svg);
    const [x, y] = onCircle((edge + edges[index]) / 2, 62);
    if (cuts.length) label(NAMES[index], x, Number(y) + 5, svg);
  });
  shape("path", { class: "pic-cut is-fixed", d: "M0 0V-104" }, svg);
}
const knobOf = (board, cut) => (board.shape === "circle" ? onCircle(cut, 122).map(Number) : [cut * WIDTH, 104]);
function drawCut(svg, board, cut, attributes) {
  const knob = shape("g", attributes, svg);
  const [x, y] = knobOf(board, cut);
  shape("path", { class: "pic-cut", d: board.shape === "circle" ? `M0 0L${onCircle(cut, 108)}` : `M${x} -8V92` }, knob);
  shape("circle", { class: "touch", cx: x, cy: y, r: 29 }, knob);
  shape("circle", { class: "knob", cx: x, cy: y, r: 15 }, knob);
  return knob;
}

export const cut = {
  read: (text) => text.split(",").filter(Boolean).map((each) => size(read(each))),
  write: (state) => placed(state).join(","),
  draw(context) {
    const { board, words, place, memo, change, beginDrag, endDrag, state: cuts, tools } = context;
    memo.cuts = cuts;
    if (!memo.svg) {
      memo.svg = canvas(place, board.shape === "circle" ? [-148, -148, 296, 296] : [-24, -12, WIDTH + 48, 140], words.board, board.shape === "circle" ? "is-small" : "");
      drags(memo.svg, {
        begin(event, point) {
          if (!event.target.closest("[data-cut]")) return null;
          // Cuts may be so close that a finger touches two.
          const away = memo.cuts.map((each) => Math.hypot(...knobOf(board, each).map((to, axis) => to - [point.x, point.y][axis])));
          const index = away.indexOf(Math.min(...away));
          memo.svg.querySelector(`[data-cut="${index}"]`).focus();
          beginDrag();
          return index;
        },
        move(index, { x, y }) {
          const to = board.shape === "circle" ? (Math.atan2(x, -y) / (2 * Math.PI) + 1) % 1 : x / WIDTH;
          // Round a circle, a cut stops at the fixed one instead of jumping past it.
          if (board.shape === "circle" && Math.abs(to - memo.cuts[index]) > 0.5) return;
          change(moved(memo.cuts, index, caught(to, memo.cuts.length + 1)), `cut-${index}`);
        },
        end: () => endDrag(),
        cancel: () => endDrag(true),
      });
    }
    const { svg } = memo;
    svg.replaceChildren();
    (board.shape === "circle" ? drawCircle : drawBar)(svg, cuts);
    cuts.forEach((value, index) => {
      const percent = Math.round(value * 100);
      const knob = drawCut(svg, board, value, {
        class: "handle", tabindex: 0, role: "slider", "data-cut": index, "data-key": `cut-${index}`,
        "aria-label": spoken(words.cut, { number: index + 1 }), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": percent, "aria-valuetext": spoken(words.at, { percent }),
      });
      const [least, most] = limits(cuts, index);
      slides(knob, { value, least, most, step: STEP, set: (to) => change(moved(cuts, index, stepped(value, to, cuts.length + 1)), `cut-${index}`) });
      knob.addEventListener("keydown", (event) => {
        if (event.key !== "Delete" && event.key !== "Backspace") return;
        event.preventDefault();
        change(cuts.filter((_, each) => each !== index), cuts.length > 1 ? `cut-${Math.max(0, index - 1)}` : "more");
      });
    });
    button(tools, words.more, "more", () => change(oneMore(cuts), "more"), { disabled: cuts.length + 1 >= MOST_PARTS });
    button(tools, words.less, "less", () => change(cuts.slice(0, -1), "less"), { disabled: !cuts.length });
  },
  tell({ words, state: cuts }, sentence) {
    if (!cuts.length) return sentence(words.none);
    const lengths = lengthsOf(cuts);
    const [most, least] = [Math.max(...lengths), Math.min(...lengths)];
    const count = lengths.length;
    if (most - least < 2 * STEP) return sentence(words.equal, { count });
    return sentence(words.unequal, { count, long: NAMES[lengths.indexOf(most)], short: NAMES[lengths.indexOf(least)] });
  },
};
