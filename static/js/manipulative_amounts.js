// Sharing things among people, and adding or taking away two bars.
import { PATTERNS, WIDTH, box, button, canvas, clamp, drags, fraction, label, mixed, mixedText, read, sentence as worded, set, shape, size, slides, spoken, write } from "./manipulative_drawing.js";

// --- Sharing ---
const THING = 44;
const SPACE = 10;
const total = (shares) => shares.reduce((sum, each) => sum + each, 0);
const lettersOf = (board) => "ABCDEFGH".slice(0, board.people);

// Things in a row, each as its parts; `parts` may end inside a thing.
function drawThings(parent, parts, { cut, name, across, pattern }) {
  const things = Math.max(1, Math.ceil(parts / cut));
  const rows = Math.ceil(things / across);
  const svg = canvas(parent, [-3, -3, Math.min(things, across) * (THING + SPACE) - SPACE + 6, rows * (THING + SPACE) - SPACE + 6], name, "is-things");
  svg.setAttribute("width", Math.min(things, across) * (THING + SPACE));
  svg.setAttribute("role", "img");
  for (let part = 0; part < parts; part++) {
    const thing = Math.floor(part / cut);
    const x = (thing % across) * (THING + SPACE) + ((part % cut) * THING) / cut;
    shape("rect", { class: pattern, x, y: Math.floor(thing / across) * (THING + SPACE), width: THING / cut, height: THING }, svg);
  }
  return svg;
}

export const share = {
  read(text, board) {
    const given = Object.fromEntries([...text.matchAll(/([A-H])=(\d+)/g)].map(([, letter, count]) => [letter, Number(count)]));
    return [...lettersOf(board)].map((letter) => given[letter] ?? 0);
  },
  write: (shares, board) => (total(shares) ? [...lettersOf(board)].map((letter, index) => `${letter}=${shares[index]}`).join(" ") : ""),
  draw({ board, words, place, change, state: shares }) {
    place.replaceChildren();
    const { cut } = board;
    const left = board.things * cut - total(shares);
    const leftText = left ? spoken(words.left, { amount: mixedText(fraction(left, cut)) }) : words.empty;
    const part = fraction(1, cut);
    drawThings(box(place, "pool"), left, { cut, name: `${words.board}. ${leftText}`, across: 6, pattern: "pic-blank" });
    const people = box(place, "people");
    [...lettersOf(board)].forEach((person, index) => {
      const row = box(people, "person");
      const has = shares[index];
      const give = (by) => shares.map((share, each) => (each === index ? share + by : share));
      const name = document.createElement("b");
      name.textContent = spoken(words.person, { person });
      row.append(name);
      drawThings(box(row, "plate"), has, { cut, name: spoken(words.has, { person, amount: has ? mixedText(fraction(has, cut)) : words.nothing }), across: 6, pattern: `pic-shaded ${PATTERNS[0]}` });
      const presses = box(row, "board-tools");
      const size = write(part);
      const press = (text, key, by, told, disabled) => button(presses, text, `${key}-${person}`, () => change(give(by), `${key}-${person}`), { name: spoken(told, { person, size }), disabled });
      if (cut > 1) press("+ 1", "whole", cut, words.whole, left < cut);
      press(worded("+ [part]", { part }), "part", 1, words.part, left < 1);
      press(worded("− [part]", { part }), "back", -1, words.back, has < 1);
    });
  },
  tell({ board, words, state: shares }, sentence) {
    const told = document.createDocumentFragment();
    const amount = (parts) => (parts ? mixed(fraction(parts, board.cut)) : words.nothing);
    [...lettersOf(board)].forEach((person, index) => told.append(sentence(words.has, { person, amount: amount(shares[index]) }), index < shares.length - 1 ? ", " : ". "));
    const left = board.things * board.cut - total(shares);
    told.append(left ? sentence(words.left, { amount: amount(left) }) : words.empty);
    return told;
  },
};

// --- Combining ---
const BAR = 44;
const MOST_PARTS = 60;
const wholesOf = (board) => (board.sign === "+" && size(read(board.first)) + size(read(board.second)) > 1 ? 2 : 1);
const counted = (text, parts) => {
  const [top, bottom] = read(text);
  return (top * parts) / bottom;
};
const fits = (board, parts) => Number.isInteger(counted(board.first, parts)) && Number.isInteger(counted(board.second, parts));

function drawBar(svg, { y, parts, shown, unit, pattern, wholes = 1 }) {
  shape("rect", { class: "pic-blank", x: 0, y, width: unit * wholes, height: BAR }, svg);
  shape("rect", { class: `pic-shaded ${pattern}`, x: 0, y, width: shown * unit, height: BAR }, svg);
  for (let line = 1; line < parts * wholes; line++) {
    shape("path", { class: line % parts ? "pic-line" : "pic-line is-whole", d: `M${(line * unit) / parts} ${y}v${BAR}` }, svg);
  }
}

function drawStepper(place, { words, state, change, board }) {
  const named = box(place, "small");
  named.textContent = words.parts;
  named.setAttribute("aria-hidden", "true"); // The field has the same name.
  const row = box(place, "stepper");
  const parts = state.parts ?? 0;
  const set = (value, key) => change({ parts: clamp(value, 1, MOST_PARTS), result: value === parts ? state.result : null }, key);
  button(row, "−", "fewer", () => set(parts - 1, "fewer"), { name: words.fewer, disabled: parts <= 1 });
  const field = document.createElement("input");
  Object.assign(field, { type: "number", min: 1, max: MOST_PARTS, value: state.parts ?? "", inputMode: "numeric" });
  field.setAttribute("aria-label", words.parts);
  field.dataset.key = "parts";
  const take = () => Number.isInteger(field.valueAsNumber) && field.valueAsNumber !== state.parts && set(field.valueAsNumber, "parts");
  field.addEventListener("change", take);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // It is not the answer yet.
    take();
  });
  row.append(field);
  button(row, "+", "more", () => set(parts + 1, "more"), { name: words.more, disabled: parts >= MOST_PARTS });
}

export const combine = {
  read(text) {
    const found = text.match(/(\d+)\/(\d+)$/);
    return found ? { parts: Number(found[2]), result: Number(found[1]) } : { parts: null, result: null };
  },
  write({ parts, result }, board) {
    if (!parts || result === null) return "";
    if (!fits(board, parts)) return `${result}/${parts}`;
    return `${counted(board.first, parts)}/${parts}${board.sign}${counted(board.second, parts)}/${parts}=${result}/${parts}`;
  },
  draw(context) {
    const { board, words, place, memo, change, beginDrag, endDrag, state } = context;
    const wholes = wholesOf(board);
    const unit = WIDTH / wholes;
    memo.state = state;
    if (!memo.svg) {
      memo.head = box(place, "combine-head");
      memo.svg = canvas(place, [-24, -4, WIDTH + 98, 246], words.board, "is-slid");
      const to = ({ x }) => {
        const { parts } = memo.state;
        change({ parts, result: clamp(Math.round((x / unit) * parts), 0, parts * wholes) }, "result");
      };
      drags(memo.svg, {
        begin(_event, point) {
          if (!memo.state.parts || point.y < 124) return null;
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
    memo.head.replaceChildren();
    drawStepper(memo.head, { words, state, change, board });
    svg.replaceChildren();
    const bars = [[board.first, PATTERNS[0], 0], [board.second, PATTERNS[1], 62]];
    for (const [text, pattern, y] of bars) {
      const parts = state.parts ?? read(text)[1];
      drawBar(svg, { y, parts, shown: size(read(text)), unit, pattern });
      label(`${y ? (board.sign === "+" ? "+ " : "− ") : ""}${text}`, unit + 6, y + BAR / 2 + 5, svg, "is-beside");
    }
    const parts = state.parts;
    drawBar(svg, { y: 136, parts: parts ?? 1, shown: parts ? (state.result ?? 0) / parts : 0, unit, pattern: PATTERNS[2], wholes });
    if (!parts) return;
    const x = ((state.result ?? 0) * unit) / parts;
    const knob = shape("g", {
      class: `handle${state.result === null ? " is-waiting" : ""}`, tabindex: 0, role: "slider", "data-key": "result", "aria-label": words.result,
      "aria-valuemin": 0, "aria-valuemax": parts * wholes, "aria-valuenow": state.result ?? 0, "aria-valuetext": spoken(words.result_at, { count: state.result ?? 0 }),
    }, svg);
    shape("path", { class: "pic-cut", d: `M${x} 132V206` }, knob);
    shape("circle", { class: "touch", cx: x, cy: 218, r: 29 }, knob);
    shape("circle", { class: "knob", cx: x, cy: 218, r: 13 }, knob);
    slides(knob, { value: state.result ?? 0, least: 0, most: parts * wholes, set: (result) => change({ parts, result }, "result") });
  },
  tell({ board, words, state: { parts, result } }, sentence) {
    if (!parts) return sentence(words.none);
    if (!fits(board, parts)) {
      const bar = [board.first, board.second].find((text) => !Number.isInteger(counted(text, parts)));
      return sentence(words.unfit, { count: parts, bar: set(read(bar)) });
    }
    const values = { count: parts, first: counted(board.first, parts), second: counted(board.second, parts), result: result ?? 0 };
    return sentence(result === null ? words.no_result : words.fits, values);
  },
};
