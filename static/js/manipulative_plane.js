// A point on a plane, and two points that make a line.
import { WIDTH, add, canvas, clamp, drags, fraction, label, read, shape, size, spoken, write } from "./manipulative_drawing.js";

const NAMES = ["A", "B"];

function planeOf(board) {
  const axis = ({ start, end, step }) => ({ start: read(start), end: read(end), step: read(step), steps: Math.round((size(read(end)) - size(read(start))) / size(read(step))) });
  const [x, y] = [axis(board.x), axis(board.y)];
  const ratio = (size(y.end) - size(y.start)) / (size(x.end) - size(x.start));
  const height = size(x.step) === size(y.step) && ratio >= 0.4 && ratio <= 1.1 ? WIDTH * ratio : WIDTH * 0.7;
  return { x, y, height };
}
const numberAt = (axis, index) => add(axis.start, fraction(axis.step[0] * index, axis.step[1]));
const indexOf = (axis, text) => Math.round((size(read(text)) - size(axis.start)) / size(axis.step));
const shown = (number) => write(number).replace("-", "−");

// The label of every second, fifth or tenth step, so that none overlap.
function every(axis, length, needed) {
  const room = length / axis.steps;
  const widest = Math.max(...Array.from({ length: axis.steps + 1 }, (_none, index) => shown(numberAt(axis, index)).length));
  return [1, 2, 5, 10, 20].find((each) => each * room >= needed(widest)) ?? 20;
}

function drawGrid(svg, { x, y, height }) {
  const across = (index) => (index * WIDTH) / x.steps;
  const down = (index) => height - (index * height) / y.steps;
  shape("rect", { class: "plot-ground", width: WIDTH, height }, svg);
  const zero = (axis) => clamp(-size(axis.start) / size(axis.step), 0, axis.steps);
  for (let index = 0; index <= x.steps; index++) shape("path", { class: "plot-grid", d: `M${across(index)} 0V${height}` }, svg);
  for (let index = 0; index <= y.steps; index++) shape("path", { class: "plot-grid", d: `M0 ${down(index)}H${WIDTH}` }, svg);
  shape("path", { class: "pic-line", d: `M${across(zero(x))} 0V${height}M0 ${down(zero(y))}H${WIDTH}` }, svg);
  const [byX, byY] = [every(x, WIDTH, (widest) => widest * 12 + 14), every(y, height, () => 20)];
  const turn = (axis, by) => (Number.isInteger(zero(axis)) ? zero(axis) % by : 0);
  for (let index = 0; index <= x.steps; index++) if (index % byX === turn(x, byX)) label(shown(numberAt(x, index)), across(index), height + 24, svg);
  for (let index = 0; index <= y.steps; index++) if (index % byY === turn(y, byY)) label(shown(numberAt(y, index)), -8, down(index) + 5, svg, "is-before");
  label("x", WIDTH + 18, down(zero(y)) + 5, svg, "is-axis");
  label("y", across(zero(x)), -10, svg, "is-axis");
  return { across, down };
}

// A tool for so many points. Its state is a list of their grid indexes; null before the first was moved.
function pointsTool(count) {
  return {
    read(text, board) {
      const numbers = text.match(/-?\d+(?:\/\d+)?/g);
      if (!numbers || numbers.length !== 2 * count) return null;
      const { x, y } = planeOf(board);
      return Array.from({ length: count }, (_none, index) => [indexOf(x, numbers[2 * index]), indexOf(y, numbers[2 * index + 1])]);
    },
    write(points, board) {
      if (points === null) return "";
      const { x, y } = planeOf(board);
      return points.map(([a, b]) => `(${write(numberAt(x, a))}, ${write(numberAt(y, b))})`).join(", ");
    },
    draw({ board, words, place: ground, memo, change, beginDrag, endDrag, state }) {
      const plane = planeOf(board);
      const points = state ?? startOf(plane, count);
      memo.points = points;
      const moved = (index, [a, b]) => memo.points.map((each, order) => (order === index ? [clamp(a, 0, plane.x.steps), clamp(b, 0, plane.y.steps)] : each));
      if (!memo.svg) {
        memo.svg = canvas(ground, [-40, -26, WIDTH + 70, plane.height + 56], words.board, "is-slid");
        const near = ({ x, y }) => [Math.round((x / WIDTH) * plane.x.steps), Math.round(((plane.height - y) / plane.height) * plane.y.steps)];
        drags(memo.svg, {
          begin(_event, pointer) {
            const [a, b] = near(pointer);
            const far = memo.points.map(([c, d]) => ((c - a) * WIDTH) ** 2 / plane.x.steps ** 2 + ((d - b) * plane.height) ** 2 / plane.y.steps ** 2);
            const index = far.indexOf(Math.min(...far));
            beginDrag();
            change(moved(index, [a, b]), `point-${index}`);
            return { index };
          },
          move: ({ index }, pointer) => change(moved(index, near(pointer)), `point-${index}`),
          end: () => endDrag(),
          cancel: () => endDrag(true),
        });
      }
      const { svg } = memo;
      svg.replaceChildren();
      const { across, down } = drawGrid(svg, plane);
      if (count === 2) drawLine(svg, points.map(([a, b]) => [across(a), down(b)]), plane.height);
      points.forEach(([a, b], index) => {
        const values = { x: shown(numberAt(plane.x, a)), y: shown(numberAt(plane.y, b)) };
        const knob = shape("g", {
          class: `handle${state === null ? " is-waiting" : ""}`, tabindex: 0, role: "slider", "data-key": `point-${index}`,
          "aria-label": spoken(words.point, { number: NAMES[index] }), "aria-roledescription": words.board,
          "aria-valuemin": size(plane.x.start), "aria-valuemax": size(plane.x.end), "aria-valuenow": size(numberAt(plane.x, a)),
          "aria-valuetext": spoken(words.at, values),
        }, svg);
        shape("circle", { class: "touch", cx: across(a), cy: down(b), r: 24 }, knob);
        shape("circle", { class: "knob", cx: across(a), cy: down(b), r: 9 }, knob);
        if (count === 2) label(NAMES[index], across(a) + (a > plane.x.steps / 2 ? -20 : 20), down(b) - 10, svg, "has-halo");
        knob.addEventListener("keydown", (event) => {
          const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
          if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          const steps = event.shiftKey ? 5 : 1;
          change(moved(index, [a + by[0] * steps, b + by[1] * steps]), `point-${index}`);
        });
      });
    },
    tell({ board, words, state }, sentence) {
      if (state === null) return sentence(words.none);
      const { x, y } = planeOf(board);
      const [[a, b], [c, d] = []] = state.map(([left, up]) => [shown(numberAt(x, left)), shown(numberAt(y, up))]);
      if (count === 1) return sentence(words.told, { x: a, y: b });
      return a === c && b === d ? sentence(words.same) : sentence(words.told, { x1: a, y1: b, x2: c, y2: d });
    },
  };
}

// Where points lie before they are moved: near the middle, apart.
function startOf({ x, y }, count) {
  const middle = [Math.round(x.steps / 2), Math.round(y.steps / 2)];
  if (count === 1) return [middle];
  const aside = Math.max(1, Math.round(x.steps / 5));
  return [[Math.max(0, middle[0] - aside), middle[1]], [Math.min(x.steps, middle[0] + aside), middle[1]]];
}

// The line through two points, from one edge of the plane to another.
function drawLine(svg, [[x1, y1], [x2, y2]], height) {
  if (x1 === x2 && y1 === y2) return;
  let [low, high] = [-Infinity, Infinity];
  for (const [by, from, length] of [[x2 - x1, x1, WIDTH], [y2 - y1, y1, height]]) {
    if (by === 0) continue;
    const [first, second] = [-from / by, (length - from) / by].sort((a, b) => a - b);
    low = Math.max(low, first);
    high = Math.min(high, second);
  }
  const place = (share) => `${x1 + (x2 - x1) * share} ${y1 + (y2 - y1) * share}`;
  shape("path", { class: "plot-curve", d: `M${place(low)}L${place(high)}` }, svg);
}

export const point = pointsTool(1);
export const line = pointsTool(2);
