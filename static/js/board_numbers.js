// The board without a pointer: a form that adds a thing by its numbers, and a list of what is there.
import { boxOf } from "./board_erase.js";
import { HEIGHT, WIDTH, change, entries, items, onChange, problem, say, within } from "./board_model.js";
import { described, numberOf, said, stepsOf, strokes, wholeNumber } from "./board_words.js";

const section = document.getElementById("board");
const form = document.getElementById("board-form");
const list = document.getElementById("board-list");
const words = section.dataset;
const MARK = { colour: "ink", width: 5 };
const [LEFT, WIDE, HIGH] = [100, 800, 110];

/** How far down there is room; the top if there is none left. */
function freeTop(high) {
  const boxes = items().map(boxOf);
  for (let top = 30; top + high < HEIGHT; top += 20) {
    if (boxes.every(({ y, h }) => y + h + 15 < top || y > top + high + 15)) return top;
  }
  return 30;
}
function widthsOf(text) {
  const parts = wholeNumber(text, 1, 24);
  if (parts) return Array(parts).fill(1);
  const widths = text.split(/[;:]|,\s+|\s+/).filter(Boolean).flatMap((each) => (/^\d+,\d+$/.test(each) ? each.split(",") : [each])).map(numberOf);
  return widths.length > 1 && widths.length <= 24 && widths.every((width) => width > 0) ? widths : null;
}
function rectangle({ cut }) {
  const widths = widthsOf(cut.value);
  if (!widths) return problem(words.needParts);
  const y = freeTop(HIGH + 60);
  const h = HIGH + 60;
  const all = widths.reduce((sum, width) => sum + width);
  let x = LEFT;
  const cuts = widths.slice(0, -1).map((width) => {
    x += (width / all) * WIDE;
    return { ...MARK, kind: "line", start: [within(x, WIDTH), y], end: [within(x, WIDTH), y + h] };
  });
  const entry = { items: [{ ...MARK, kind: "rectangle", x: LEFT, y, w: WIDE, h, filled: false }, ...cuts] };
  return cuts.length ? { ...entry, cut: widths } : entry;
}
function bar({ parts: partsField, shaded: shadedField }) {
  const parts = wholeNumber(partsField.value, 1, 24);
  if (!parts) return problem(words.needParts);
  const shaded = wholeNumber(shadedField.value || "0", 0, parts);
  if (shaded === null) return problem(words.needShaded);
  return { items: [{ ...MARK, kind: "fraction_bar", x: LEFT, y: freeTop(HIGH), w: WIDE, h: HIGH, parts, shaded: [...Array(shaded).keys()] }] };
}
function numberLine({ start, end, step, marks: marksField }) {
  const steps = stepsOf(start.value, end.value, step.value);
  if (!steps) return problem(words.needLine);
  const marks = marksField.value.split(/[;\s]+|,\s*/).filter(Boolean).map(numberOf);
  const isOn = (mark) => mark !== null && mark >= steps.start && mark <= steps.end;
  if (!marks.every(isOn) || marks.length > 60) return problem(words.needMarks);
  return { items: [{ ...MARK, kind: "number_line", x: LEFT, y: freeTop(90) + 20, w: WIDE, ...steps, marks: [...new Set(marks)] }] };
}
function text({ text: field }) {
  const written = field.value.trim();
  if (!written) return field.focus();
  const size = within(Math.max(12, Math.min(44, WIDE / (written.length * 0.55))), 120);
  field.value = "";
  return { items: [{ ...MARK, kind: "text", x: LEFT, y: freeTop(size), text: written, size }] };
}
const MAKE = { rectangle, fraction_bar: bar, number_line: numberLine, text };

function choose() {
  for (const label of form.querySelectorAll("[data-for]")) label.hidden = label.dataset.for !== form.elements.what.value;
}
form.addEventListener("change", choose);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  event.stopPropagation();
  problem();
  const entry = MAKE[form.elements.what.value](form.elements);
  if (entry && change({ entries: [...entries(), entry] })) say(said(words.added, described(entry)));
});

/** The items on the board, with consecutive strokes by hand as one. */
function rows() {
  const found = [];
  for (const entry of entries()) {
    const isPen = entry.items.every(({ kind }) => kind === "pen");
    if (isPen && found.at(-1)?.isPen) found.at(-1).entries.push(entry);
    else found.push({ isPen, entries: [entry] });
  }
  return found.map((row) => ({ ...row, words: row.isPen ? strokes(row.entries.length) : described(row.entries[0]) }));
}
function tell() {
  const all = rows();
  document.getElementById("board-empty").hidden = all.length > 0;
  list.replaceChildren(...all.map((row, place) => {
    const li = document.getElementById("board-row").content.firstElementChild.cloneNode(true);
    li.querySelector("span").textContent = row.words;
    const button = li.querySelector("button");
    button.setAttribute("aria-label", `${button.title}: ${row.words}`);
    button.addEventListener("click", () => remove(row, place));
    return li;
  }));
}
function remove(row, place) {
  change({ entries: entries().filter((entry) => !row.entries.includes(entry)) });
  say(said(words.removed, row.words));
  (list.children[Math.min(place, list.children.length - 1)]?.querySelector("button") ?? form.elements.what).focus();
}
onChange(tell);
tell();
choose();
