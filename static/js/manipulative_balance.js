// A scale with boxes and weights: things are taken away or shared, on both sides or on one, until one box is alone.
import { WIDTH, box, button, canvas, label, shape, spoken } from "./manipulative_drawing.js";

const PAN = 156;
const BOX = 27;
const WEIGHT = 9;
const IN_ROW = 6;
const SIDES = ["left", "right"];

const side = ({ x, ones }) => (x ? `${x > 1 ? x : ""}x${ones ? ` + ${ones}` : ""}` : `${ones}`);
const equation = ({ left, right }) => `${side(left)} = ${side(right)}`;
const isDone = (state) => SIDES.some((name, index) => isAlone(state[name]) && !state[SIDES[1 - index]].x);
const isAlone = ({ x, ones }) => x === 1 && ones === 0;
const startOf = ({ left, right }) => ({ left: { x: left.x, ones: left.ones }, right: { x: right.x, ones: right.ones } });

function parse(text) {
  const sides = text.split("=").map((each) => /^\s*(?:(\d*)x)?\s*(?:\+?\s*(\d+))?\s*$/.exec(each));
  if (sides.length !== 2 || !sides.every(Boolean)) return null;
  const [left, right] = sides.map(([, x, ones]) => ({ x: x === undefined ? 0 : Number(x || 1), ones: Number(ones ?? 0) }));
  return { left, right };
}

function lies(svg, { x, ones }, center, level) {
  for (let index = 0; index < x; index++) {
    const at = center + (index - x / 2) * (BOX - 3);
    shape("rect", { class: "pic-blank is-box", x: at, y: level - BOX + 2, width: BOX - 5, height: BOX - 3 }, svg);
    label("x", at + (BOX - 5) / 2, level - 8, svg, "is-fixed");
  }
  const base = level - (x ? BOX + 2 : 0) - WEIGHT - 1;
  for (let index = 0; index < ones; index++) {
    const row = Math.floor(index / IN_ROW);
    const inRow = Math.min(IN_ROW, ones - row * IN_ROW);
    const at = center + ((index % IN_ROW) - (inRow - 1) / 2) * 2 * (WEIGHT + 1);
    shape("circle", { class: "pic-blank", cx: at, cy: base - row * 2 * (WEIGHT + 1), r: WEIGHT }, svg);
    label("1", at, base - row * 2 * (WEIGHT + 1) + 4.5, svg, "is-weight");
  }
}
const tall = ({ x, ones }) => (x ? BOX + 2 : 0) + Math.ceil(ones / IN_ROW) * 2 * (WEIGHT + 1);

const taken = ({ x, ones }, name) => (name === "x" ? { x: x - 1, ones } : { x, ones: ones - 1 });
const shared = ({ x, ones }, by) => ({ x: x / by, ones: ones / by });
const canShare = ({ x, ones }, by) => x % by === 0 && ones % by === 0 && x + ones > 0;

// What can be done to the sides: a word, how to name it for one or both, whether it is possible, and the side after it.
function moves(state) {
  const most = Math.max(state.left.x, state.right.x);
  const found = [
    ["take_one", ({ ones }) => ones > 0, (each) => taken(each, "ones")],
    ["take_box", ({ x }) => x > 0, (each) => taken(each, "x")],
  ];
  for (let by = 2; by <= most; by++) {
    if (SIDES.some((name) => state[name].x === by || (state[name].x && canShare(state[name], by)))) found.push(["share", (each) => canShare(each, by), (each) => shared(each, by), by]);
  }
  return found;
}

export const balance = {
  // The states so far, the first as asked.
  read(text, board) {
    const states = text.split(";").map(parse);
    if (!text || !states.every(Boolean)) return [startOf(board)];
    return JSON.stringify(states[0]) === JSON.stringify(startOf(board)) ? states : [startOf(board), ...states];
  },
  // Nothing is sent before one box is alone.
  write: (states) => (states.length > 1 && isDone(states.at(-1)) ? states.map(equation).join("; ") : ""),
  draw({ board, words, place: ground, memo, change, state: states }) {
    const state = states.at(-1);
    const top = Math.max(tall(board.left), tall(board.right), BOX) + 8;
    if (!memo.svg) memo.svg = canvas(ground, [0, 0, WIDTH, top + 66], words.board);
    const { svg } = memo;
    svg.setAttribute("aria-label", `${words.board}: ${equation(state)}`);
    svg.setAttribute("role", "img");
    svg.replaceChildren();
    shape("path", { class: "pic-blank", d: `M${WIDTH / 2} ${top + 22}l-20 40h40Z` }, svg);
    shape("path", { class: "pic-line is-beam", d: `M${PAN / 2} ${top + 22}H${WIDTH - PAN / 2}` }, svg);
    SIDES.forEach((name, index) => {
      const left = index * (WIDTH - PAN);
      shape("path", { class: "pic-line", d: `M${left + PAN / 2} ${top}v22` }, svg);
      shape("path", { class: "pic-line is-beam", d: `M${left} ${top}h${PAN}` }, svg);
      lies(svg, state[name], left + PAN / 2, top);
    });
    memo.panel?.remove();
    memo.panel = box(ground, "balance-tools");
    drawButtons(memo.panel, { state, states, words, change });
  },
  tell({ words, state: states }, sentence) {
    const now = states.at(-1);
    const told = states.length === 1 ? words.none : isDone(now) ? words.done : words.now;
    return sentence(told, { equation: equation(now) });
  },
};

function drawButtons(panel, { state, states, words, change }) {
  for (const [group, names] of [["both", SIDES], ["left", ["left"]], ["right", ["right"]]]) {
    const row = box(panel, "balance-row");
    const title = document.createElement("span");
    title.className = "small";
    title.textContent = group === "both" ? words.both : words[`${group}_side`];
    row.append(title);
    for (const [word, isPossible, after, by] of moves(state)) {
      const key = `${group}-${word}${by ?? ""}`;
      const press = () => {
        const next = { ...state };
        for (const name of names) next[name] = after(state[name]);
        change([...states, next], key);
      };
      const name = spoken(words[`${word}_${group}`], { count: by });
      button(row, spoken(words[word], { count: by }), key, press, { name, disabled: !names.every((each) => isPossible(state[each])) });
    }
  }
}
