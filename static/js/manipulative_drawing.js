// What all pictures to work on share: shapes, fractions, sentences with fractions, and things that slide.
const SVG = "http://www.w3.org/2000/svg";
const MATH = "http://www.w3.org/1998/Math/MathML";
export const WIDTH = 340; // As wide as on a phone, so that labels are not drawn smaller there.
export const PATTERNS = ["pic-striped", "pic-dotted", "pic-crossed", "pic-blank"];
export const NAMES = "ABCDEFGHIJKL";
export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

function element(space, tag, attributes, parent) {
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

export const shape = (tag, attributes, parent) => element(SVG, tag, attributes, parent);

// Numbers are shown with a minus sign; an answer is posted with a hyphen.
export const minus = (text) => String(text).replace(/^-(?=\d)/, "−");

export function label(text, x, y, parent, more = "") {
  shape("text", { class: `pic-text ${more}`, x, y, "text-anchor": "middle" }, parent).textContent = minus(text);
}

export function canvas(parent, [left, top, width, height], name, more = "") {
  return shape("svg", { class: `pic ${more}`, viewBox: `${left} ${top} ${width} ${height}`, role: "group", "aria-label": name }, parent);
}

export function button(parent, text, key, press, { name, disabled = false } = {}) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "button", disabled });
  made.dataset.key = key;
  const shown = document.createElement("span");
  shown.append(text);
  made.append(shown);
  if (name) {
    shown.setAttribute("aria-hidden", "true"); // A sign or a fraction, which the name says in words.
    const told = document.createElement("span");
    told.className = "unseen";
    told.textContent = name;
    made.append(told);
  }
  made.addEventListener("click", press);
  parent.append(made);
  return made;
}

export function box(parent, className) {
  const made = document.createElement("div");
  made.className = className;
  parent.append(made);
  return made;
}

// Fractions are pairs [top, bottom] in lowest terms.
const divisor = (a, b) => (b ? divisor(b, a % b) : Math.abs(a));
export function fraction(top, bottom = 1) {
  const by = divisor(top, bottom) || 1;
  return [top / by, bottom / by];
}
export function read(text) {
  const [top, bottom = "1"] = String(text).split("/");
  return top.includes(".") ? fraction(Math.round(Number(top) * 10000), 10000) : fraction(Number(top), Number(bottom));
}
export const write = ([top, bottom]) => (bottom === 1 ? `${top}` : `${top}/${bottom}`);
export const size = ([top, bottom]) => top / bottom;
export const add = ([a, b], [c, d]) => fraction(a * d + c * b, b * d);

// A sentence with [names] in brackets: texts, or fractions, which are set as such.
export function sentence(template, values = {}) {
  const made = document.createDocumentFragment();
  for (const piece of template.split(/(\[\w+\])/)) {
    const value = values[piece.slice(1, -1)];
    made.append(value === undefined || !piece.startsWith("[") ? piece : Array.isArray(value) ? set(value) : value);
  }
  return made;
}
export const spoken = (template, values = {}) => template.replace(/\[(\w+)\]/g, (whole, name) => {
  const value = values[name];
  return value === undefined ? whole : Array.isArray(value) ? write(value) : value;
});
export function set([top, bottom]) {
  if (bottom === 1) return minus(top);
  const math = element(MATH, "math", {});
  const over = element(MATH, "mfrac", {}, math);
  for (const number of [top, bottom]) element(MATH, "mn", {}, over).textContent = minus(number);
  return math;
}
// A label as a node: a fraction is set as in texts, where the style sheet draws its numbers.
export function written(label) {
  const found = /^(\d{1,3})\/(\d{1,3})$/.exec(label);
  if (!found) return document.createTextNode(label);
  const frac = document.createElement("span");
  frac.className = "frac";
  [, frac.dataset.top, frac.dataset.bottom] = found;
  frac.append(document.createElement("span"));
  frac.firstChild.textContent = label;
  return frac;
}
export function mixed([top, bottom]) {
  const made = document.createDocumentFragment();
  const whole = Math.floor(top / bottom);
  if (whole && top % bottom) made.append(`${whole} `, set([top % bottom, bottom]));
  else made.append(set([top, bottom]));
  return made;
}
export const mixedText = ([top, bottom]) => {
  const whole = Math.floor(top / bottom);
  return whole && top % bottom ? `${whole} ${top % bottom}/${bottom}` : write([top, bottom]);
};

// Where a pointer is, in the units of the drawing, however large it is shown.
export function at(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

// Drags: `begin` says what is dragged, or nothing. The canvas holds the pointer, since what is drawn on it is replaced.
export function drags(svg, { begin, move, end, cancel }) {
  let held = null;
  svg.addEventListener("pointerdown", (event) => {
    if (held || !event.isPrimary || event.button !== 0) return;
    const found = begin(event, at(svg, event));
    if (found === undefined || found === null) return;
    held = { id: event.pointerId, what: found };
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (held?.id === event.pointerId) move(held.what, at(svg, event));
  });
  const letGo = (event, then) => {
    if (held?.id !== event.pointerId) return;
    held = null;
    then();
  };
  svg.addEventListener("pointerup", (event) => letGo(event, end));
  svg.addEventListener("pointercancel", (event) => letGo(event, cancel));
}

// The keys of a slider: arrows, with Shift five steps, Home and End.
export function slides(knob, { value, least, most, step = 1, set: change }) {
  knob.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    const to = by ? value + by * step * (event.shiftKey ? 5 : 1) : { Home: least, End: most }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    change(clamp(to, least, most));
  });
}
