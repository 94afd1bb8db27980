// Values of formulas: syntax trees as JSON data, such as ["+", ["*", "m", "x"], 1]. A number, a name, or an operator or
// function followed by its operands. tutoring/courses/pictures/formulas.py gives the same values.
const round = (value, places = 0) => {
  const scale = 10 ** places;
  return (Math.sign(value) * Math.floor(Math.abs(value) * scale + 0.5)) / scale;
};
const OPERATIONS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a - b * Math.floor(a / b),
  "^": (a, b) => a ** b,
  neg: (a) => -a,
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  and: (a, b) => Number(Boolean(a) && Boolean(b)),
  or: (a, b) => Number(Boolean(a) || Boolean(b)),
  not: (a) => Number(!a),
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  sigmoid: (a) => 1 / (1 + Math.exp(-a)),
  relu: (a) => Math.max(0, a),
  abs: Math.abs,
  min: Math.min,
  max: Math.max,
  floor: Math.floor,
  round,
};

export function valueOf(formula, names) {
  if (typeof formula === "number") return formula;
  if (typeof formula === "string") return Object.hasOwn(names, formula) ? names[formula] : NaN;
  if (!Array.isArray(formula)) return NaN;
  const [name, ...operands] = formula;
  if (name === "choose") return valueOf(operands[valueOf(operands[0], names) ? 1 : 2], names);
  return Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name](...operands.map((each) => valueOf(each, names))) : NaN;
}

// A number as under a plot: at most three decimals, with a minus sign.
export function readout(value) {
  if (!Number.isFinite(value)) return "–";
  const rounded = round(value, 3);
  const written = Math.abs(rounded) < 1000 ? String(Number(rounded.toPrecision(6))) : rounded.toFixed(0);
  return (written === "-0" ? "0" : written).replace("-", "−");
}
