// A point on a number line, and pieces laid into a frame.
import { PATTERNS, WIDTH, add, box, button, canvas, clamp, drags, fraction, label, minus, read, set, shape, size, slides, spoken, write } from "./manipulative_drawing.js";

// --- Placing ---
const LEVEL = 84;
const MOST_JUMPS = 24;
const MOST_NUMBERED = 12;
const startOf = (board) => read(board.start);
const stepOf = (board) => {
  const [a, b] = read(board.end);
  const [c, d] = startOf(board);
  return fraction(a * d - c * b, b * d * board.ticks);
};
const placeOf = (board, tick) => {
  const [top, bottom] = stepOf(board);
  return add(startOf(board), fraction(top * tick, bottom));
};

// The tick at which the point waits, and from which jumps are counted: 0 if the line has it, or else the left end.
const originOf = (board) => Math.max(0, Array.from({ length: board.ticks + 1 }, (_, tick) => placeOf(board, tick)[0]).indexOf(0));

// Both ends have their number, and 0, and whole numbers between whole ends.
function numbered(board, tick) {
  if (tick === 0 || tick === board.ticks || tick === originOf(board)) return true;
  const whole = ([, bottom]) => bottom === 1;
  return whole(placeOf(board, tick)) && whole(startOf(board)) && whole(read(board.end)) && !whole(stepOf(board));
}
function drawLine(svg, board) {
  shape("path", { class: "pic-line", d: `M0 ${LEVEL}H${WIDTH}` }, svg);
  for (let tick = 0; tick <= board.ticks; tick++) {
    const x = (tick * WIDTH) / board.ticks;
    const reach = numbered(board, tick) ? 10 : 6;
    shape("path", { class: "pic-line", d: `M${x} ${LEVEL - reach}V${LEVEL + reach}` }, svg);
    if (numbered(board, tick)) label(write(placeOf(board, tick)), x, LEVEL + 36, svg);
  }
}
function drawJumps(svg, board, tick) {
  const origin = originOf(board);
  const count = Math.abs(tick - origin);
  const wide = (Math.sign(tick - origin) * WIDTH) / board.ticks;
  for (let jump = 0; jump < count && count <= MOST_JUMPS; jump++) {
    const x = (origin * WIDTH) / board.ticks + jump * wide;
    shape("path", { class: "pic-jump", d: `M${x} ${LEVEL - 8}Q${x + wide / 2} ${LEVEL - 52} ${x + wide} ${LEVEL - 8}` }, svg);
    if (count <= MOST_NUMBERED) label(jump + 1, x + wide / 2, LEVEL - 40, svg, "is-soft");
  }
}

export const place = {
  // The tick at which the point stands; null before it was moved.
  read(text, board) {
    if (!text) return null;
    return Math.round(((size(read(text)) - size(startOf(board))) * board.ticks) / (size(read(board.end)) - size(startOf(board))));
  },
  write: (tick, board) => (tick === null ? "" : write(placeOf(board, tick))),
  draw({ board, words, place: ground, memo, change, beginDrag, endDrag, state: tick }) {
    if (!memo.svg) {
      memo.svg = canvas(ground, [-24, 18, WIDTH + 48, 110], words.board, "is-slid");
      const to = ({ x }) => change(clamp(Math.round((x / WIDTH) * board.ticks), 0, board.ticks), "point");
      drags(memo.svg, {
        begin(_event, point) {
          beginDrag();
          to(point);
          return true;
        },
        move: (_what, point) => to(point),
        end: () => endDrag(),
        cancel: () => endDrag(true),
      });
    }
    const { svg } = memo;
    svg.replaceChildren();
    drawLine(svg, board);
    const shown = tick ?? originOf(board);
    drawJumps(svg, board, shown);
    const at = placeOf(board, shown);
    const knob = shape("g", {
      class: `handle${tick === null ? " is-waiting" : ""}`, tabindex: 0, role: "slider", "data-key": "point", "aria-label": words.point,
      "aria-valuemin": size(startOf(board)), "aria-valuemax": size(read(board.end)), "aria-valuenow": size(at),
      "aria-valuetext": at[1] === 1 ? minus(write(at)) : spoken(words.over, { top: at[0], bottom: at[1] }),
    }, svg);
    const x = (shown * WIDTH) / board.ticks;
    shape("circle", { class: "touch", cx: x, cy: LEVEL, r: 29 }, knob);
    shape("circle", { class: "knob", cx: x, cy: LEVEL, r: 13 }, knob);
    slides(knob, { value: shown, least: 0, most: board.ticks, set: (next) => change(next, "point") });
  },
  tell({ board, words, state: tick }, sentence) {
    const origin = originOf(board);
    const start = placeOf(board, origin);
    if (tick === null) return sentence(words.none, { start });
    const count = Math.abs(tick - origin);
    const values = { count: String(count), step: stepOf(board), start, place: placeOf(board, tick) };
    return sentence(count === 0 ? words.at : count === 1 ? words.one : words.many, values);
  },
};

// --- Building ---
const PIECE_HEIGHT = 64;
const sum = (pieces) => pieces.reduce((whole, piece) => add(whole, read(piece)), [0, 1]);

function drawPiece(svg, piece, { x, width, pattern, words, take, key }) {
  const laid = shape("g", { class: "laid", tabindex: 0, role: "button", "data-key": key, "aria-label": spoken(words.take, { piece }) }, svg);
  shape("rect", { class: `pic-shaded ${pattern}`, x, y: 0, width, height: PIECE_HEIGHT }, laid);
  const [top, bottom] = read(piece);
  if (width >= 26) {
    shape("rect", { class: "pic-tag", x: x + width / 2 - 12, y: 10, width: 24, height: 44, rx: 6 }, laid);
    label(top, x + width / 2, 28, laid);
    shape("path", { class: "pic-line", d: `M${x + width / 2 - 7} 33h14` }, laid);
    label(bottom, x + width / 2, 49, laid);
  }
  laid.addEventListener("click", take);
  laid.addEventListener("keydown", (event) => {
    if (!["Delete", "Backspace", "Enter", " "].includes(event.key)) return;
    event.preventDefault();
    take();
  });
}
function drawFrame(svg, length) {
  shape("rect", { class: "pic-frame", x: 0, y: 0, width: WIDTH, height: PIECE_HEIGHT }, svg);
  for (let whole = 1; whole < length - 1e-9; whole++) shape("path", { class: "pic-frame", d: `M${(whole * WIDTH) / length} -6V${PIECE_HEIGHT + 6}` }, svg);
}

export const build = {
  read: (text) => text.split(",").filter(Boolean),
  write: (pieces) => pieces.join(","),
  draw({ board, words, place: ground, change, state: pieces }) {
    ground.replaceChildren();
    const svg = canvas(ground, [-4, -8, WIDTH + 8, PIECE_HEIGHT + 16], words.board);
    const length = size(read(board.length));
    drawFrame(svg, length);
    let x = 0;
    pieces.forEach((piece, index) => {
      const width = (size(read(piece)) / length) * WIDTH;
      const take = () => change(pieces.filter((_, each) => each !== index), pieces.length > 1 ? `laid-${Math.max(0, index - 1)}` : `piece-${piece}`);
      drawPiece(svg, piece, { x, width, pattern: PATTERNS[board.pieces.indexOf(piece) % PATTERNS.length], words, take, key: `laid-${index}` });
      x += width;
    });
    const tray = box(ground, "tray");
    board.pieces.forEach((piece, index) => {
      const fits = size(sum([...pieces, piece])) <= length + 1e-9;
      const made = button(tray, set(read(piece)), `piece-${piece}`, () => change([...pieces, piece], `piece-${piece}`), { name: spoken(words.lay, { piece }), disabled: !fits });
      const swatch = shape("svg", { class: "swatch", "aria-hidden": true });
      shape("rect", { class: PATTERNS[index % PATTERNS.length], width: "100%", height: "100%" }, swatch);
      made.prepend(swatch);
    });
  },
  tell({ board, words, state: pieces }, sentence) {
    if (!pieces.length) return sentence(words.none);
    const terms = document.createDocumentFragment();
    pieces.forEach((piece, index) => terms.append(index ? " + " : "", set(read(piece))));
    const whole = sum(pieces);
    return sentence(size(whole) === size(read(board.length)) ? words.full : words.sum, { sum: terms, length: whole });
  },
};
