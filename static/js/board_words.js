// Numbers as people write them, and what is on the board in words.
const words = document.getElementById("board").dataset;
const filled = (template, fields) => template.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

const isWhole = (number) => Math.abs(number - Math.round(number)) < 1e-6;
/** The number written as 3, 0.5, 0,5 or 1/2; null for anything else. */
export function numberOf(text) {
  const found = /^\s*(-?\d+(?:[.,]\d+)?)\s*(?:\/\s*(\d+))?\s*$/.exec(text);
  if (!found || Number(found[2]) === 0) return null;
  return Number(found[1].replace(",", ".")) / Number(found[2] ?? 1);
}
/** A whole number from the least to the most; null for anything else. */
export function wholeNumber(text, least, most) {
  const number = numberOf(text);
  return number !== null && Number.isInteger(number) && number >= least && number <= most ? number : null;
}
/** The range of a number line; null if it has less than one step, or more than 60. */
export function stepsOf(from, to, by) {
  const [start, end, step] = [from, to, by].map(numberOf);
  if (start === null || end === null || !(step > 0)) return null;
  const steps = (end - start) / step;
  return steps > 0.999 && steps <= 60 && Math.max(Math.abs(start), Math.abs(end)) <= 1e6 ? { start, end, step } : null;
}
/** A number as people write it: 0.75 with a step of 1/4 is 3/4. */
export function written(number, step) {
  if (isWhole(number)) return String(Math.round(number));
  const below = [2, 3, 4, 5, 6, 8, 10, 12].find((one) => isWhole(step * one) && isWhole(number * one));
  return below ? `${Math.round(number * below)}/${below}` : String(Math.round(number * 1000) / 1000);
}

const ONE = {
  pen: () => words.penOne,
  line: () => words.line,
  rectangle: () => words.rectangle,
  ellipse: () => words.ellipse,
  text: (item) => filled(words.text, item),
  fraction_bar: ({ parts, shaded }) => filled(words.bar, { parts, shaded: shaded.length }),
  number_line({ start, end, step, marks }) {
    const [from, to] = [start, end].map((number) => written(number, step));
    return filled(marks.length ? words.marks : words.numbers, { start: from, end: to, marks: marks.map((mark) => written(mark, step)).join(", ") });
  },
};
/** What an entry is, in words. */
export function described({ items, cut }) {
  if (!cut) return ONE[items[0].kind]?.(items[0]) ?? items[0].kind;
  const widths = cut.join(" : ");
  return filled(cut.every((width) => width === cut[0]) ? words.cut : words.widths, { count: cut.length, widths });
}
export const strokes = (count) => (count === 1 ? words.penOne : filled(words.pen, { count }));
export const said = (template, what) => filled(template, { words: what });
