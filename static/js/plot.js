// Plots with sliders: what lies on the plane is drawn again when a slider moves. The server draws the first picture in the
// same way (tutoring/courses/pictures/plot_drawing.py), with axes and numbers, which stay.
import { shape } from "./manipulative_drawing.js";
import { readout, valueOf } from "./plot_formulas.js";

const SAMPLES = 160;
const CHARACTER = 8.6;
const LINE_HEIGHT = 19;
const BOX_HEIGHT = 26;
const finite = Number.isFinite;
const clamp = (value, [least, most]) => Math.min(most, Math.max(least, value));

let count = 0;

export function holdPlot(svg) {
  const plot = JSON.parse(svg.dataset.plot);
  const values = Object.fromEntries(plot.sliders.map((slider) => [slider.name, slider.value]));
  const content = svg.querySelector(".plot-content");
  const [left, top, width, height] = plot.frame;
  const frame = {
    ...plot,
    right: left + width,
    top,
    base: top + height + LINE_HEIGHT + 1,
    across: (x) => left + (width * (x - plot.x[0])) / (plot.x[1] - plot.x[0]),
    down: (y) => top + (height * (plot.y[1] - y)) / (plot.y[1] - plot.y[0]),
  };
  const live = document.createElement("div");
  live.className = "live-plot";
  svg.before(live);
  live.append(svg);
  const told = document.createElement("dl");
  told.className = "plot-values";
  told.setAttribute("aria-live", "polite");
  const outputs = plot.readouts.map(({ label }) => {
    const pair = document.createElement("div");
    const [name, value] = ["dt", "dd"].map((tag) => pair.appendChild(document.createElement(tag)));
    name.textContent = label;
    told.append(pair);
    return value;
  });

  function draw() {
    content.replaceChildren();
    drawContent(content, frame, values);
    plot.readouts.forEach(({ value }, index) => {
      const text = readout(valueOf(value, values));
      if (outputs[index].textContent !== text) outputs[index].textContent = text;
    });
  }
  for (const slider of plot.sliders) live.append(sliderRow(slider, values, draw));
  if (outputs.length) {
    live.append(told);
    dropReadouts(svg);
  }
  draw();
}

// The numbers below the plot take the place of those in the picture.
function dropReadouts(svg) {
  const texts = svg.querySelectorAll(".plot-readout");
  const { width, height } = svg.viewBox.baseVal;
  const less = height - texts.length * LINE_HEIGHT;
  for (const text of texts) text.remove();
  svg.setAttribute("height", (Number(svg.getAttribute("height")) * less) / height);
  svg.setAttribute("viewBox", `0 0 ${width} ${less}`);
}

function sliderRow({ name, label, start, end, step }, values, draw) {
  const row = document.createElement("div");
  row.className = "plot-slider";
  const id = `plot-slider-${++count}`;
  const words = Object.assign(document.createElement("label"), { htmlFor: id, textContent: label });
  const input = Object.assign(document.createElement("input"), { type: "range", id, min: start, max: end, step });
  input.value = values[name];
  const output = Object.assign(document.createElement("output"), { htmlFor: id });
  const show = () => {
    output.textContent = readout(values[name]);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    values[name] = Number(input.value);
    show();
    draw();
  });
  show();
  row.append(words, input, output);
  return row;
}

function drawContent(content, frame, values) {
  const at = (formula) => valueOf(formula, values);
  frame.bars.forEach((bar, index) => drawBar(content, frame, bar, at, index));
  for (const box of frame.boxes) drawBox(content, frame, box, at);
  frame.curves.forEach((curve, order) => drawCurve(content, frame, curve, values, order));
  for (const line of frame.lines) {
    const ends = [[at(line.x1), at(line.y1)], [at(line.x2), at(line.y2)]];
    const d = path(ends, frame);
    if (!d) continue;
    shape("path", { class: `plot-line${line.dashed ? " is-dashed" : ""}`, d }, content);
    if (!line.label) continue;
    const [[x1, y1], [x2, y2]] = ends;
    labelAt(line.label, frame, x1 + (x2 - x1) * 0.75, y1 + (y2 - y1) * 0.75, content, (x2 - x1) * (y2 - y1) > 0 ? "left" : "");
  }
  for (const point of frame.points) {
    const [x, y] = [at(point.x), at(point.y)];
    if (!isInside(frame, x, y)) continue;
    shape("circle", { class: "pic-mark", cx: frame.across(x), cy: frame.down(y), r: 5.5 }, content);
    if (point.label) labelAt(point.label, frame, x, y, content);
  }
}

const isInside = ({ x: [least, most], y: [low, high] }, x, y) => least <= x && x <= most && low <= y && y <= high;

function text(words, x, y, anchor, more, content) {
  shape("text", { class: `pic-text ${more}`.trim(), x, y, "text-anchor": anchor }, content).textContent = words;
}

function labelAt(words, frame, x, y, content, rises = "") {
  const [across, down] = [frame.across(x), frame.down(y)];
  const reach = 9 + [...words].length * CHARACTER;
  const isLeft = rises === "left" ? across - reach > frame.left : across + reach > frame.right;
  const isBelow = rises ? !isLeft : down - 20 < frame.top;
  text(words, across + (isLeft ? -8 : 8), down + (isBelow ? 18 : -9), isLeft ? "end" : "start", "has-halo", content);
}

// The path through places, cut off at the edges of the plane and broken where there is no value.
function path(places, frame) {
  let drawn = "";
  let last = "";
  let before = null;
  for (const place of places) {
    if (!place.every(finite)) {
      before = null;
      continue;
    }
    const cut = before && clipped(before, place, frame);
    if (cut) {
      const [begin, end] = cut.map(([x, y]) => `${frame.across(x).toFixed(2)} ${frame.down(y).toFixed(2)}`);
      if (begin !== last) drawn += `M${begin}`;
      drawn += `L${end}`;
      last = end;
    }
    before = place;
  }
  return drawn;
}

function clipped([x1, y1], [x2, y2], { x, y }) {
  let [low, high] = [0, 1];
  for (const [by, back, ahead] of [[x2 - x1, x1 - x[0], x[1] - x1], [y2 - y1, y1 - y[0], y[1] - y1]]) {
    if (by === 0) {
      if (back < 0 || ahead < 0) return null;
      continue;
    }
    const [first, second] = [-back / by, ahead / by].sort((a, b) => a - b);
    low = Math.max(low, first);
    high = Math.min(high, second);
  }
  if (low > high) return null;
  return [low, high].map((share) => [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share]);
}

function drawCurve(content, frame, curve, values, order) {
  const start = curve.start === null ? frame.x[0] : Math.max(frame.x[0], valueOf(curve.start, values));
  const end = curve.end === null ? frame.x[1] : Math.min(frame.x[1], valueOf(curve.end, values));
  const places = [];
  let last = NaN;
  for (let index = 0; index <= SAMPLES; index++) {
    const x = start + ((end - start) * index) / SAMPLES;
    const y = valueOf(curve.y, { ...values, x });
    // From above the plane to below it in one step is a jump.
    if ((last > frame.y[1] && y < frame.y[0]) || (last < frame.y[0] && y > frame.y[1])) places.push([x, NaN]);
    places.push([x, y]);
    last = y;
  }
  const d = path(places, frame);
  if (d) shape("path", { class: `plot-curve${curve.dashed ? " is-dashed" : ` is-curve-${order % 3}`}`, d }, content);
  const shown = places.filter(([x, y]) => isInside(frame, x, y));
  if (!curve.label || !shown.length) return;
  const index = Math.round((shown.length - 1) * (1 - 0.3 * (order % 3)));
  const doesRise = index > 0 && shown[index - 1][1] < shown[index][1];
  labelAt(curve.label, frame, ...shown[index], content, doesRise ? (order ? "right" : "left") : "");
}

function drawBar(content, frame, bar, at, index) {
  const [start, end] = [clamp(at(bar.start), frame.x), clamp(at(bar.end), frame.x)];
  const tall = at(bar.height);
  if (!(start < end && finite(tall))) return;
  const [top, low] = [tall, 0].map((each) => frame.down(clamp(each, frame.y))).sort((a, b) => a - b);
  const [left, right] = [frame.across(start), frame.across(end)];
  shape("rect", { class: "pic-shaded pic-striped", x: left, y: top, width: right - left, height: low - top }, content);
  if (bar.label) text(bar.label, (left + right) / 2, frame.base + (frame.bar_rows && index % 2 ? LINE_HEIGHT : 0), "middle", "", content);
}

function drawBox(content, frame, box, at) {
  const five = box.five.map(at);
  if (!five.every(finite)) return;
  const [least, lower, middle, upper, most] = five.map((each) => frame.across(clamp(each, frame.x)));
  const level = frame.down(at(box.at));
  const half = BOX_HEIGHT / 2;
  const line = (x1, y1, x2, y2, name = "plot-line") => shape("line", { class: name, x1, y1, x2, y2 }, content);
  line(least, level, lower, level);
  line(upper, level, most, level);
  for (const end of [least, most]) line(end, level - half / 2, end, level + half / 2);
  shape("rect", { class: "pic-shaded pic-striped", x: lower, y: level - half, width: Math.max(0, upper - lower), height: 2 * half }, content);
  line(middle, level - half, middle, level + half, "plot-median");
  if (box.label) text(box.label, least, level - half - 6, "start", "has-halo", content);
}
