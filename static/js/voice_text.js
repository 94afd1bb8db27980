// The sentences of a reply to read aloud, each with its place on the page.

const PARTS = {
  2: ["half", "halves"], 3: ["third", "thirds"], 4: ["quarter", "quarters"], 5: ["fifth", "fifths"],
  6: ["sixth", "sixths"], 7: ["seventh", "sevenths"], 8: ["eighth", "eighths"], 9: ["ninth", "ninths"],
  10: ["tenth", "tenths"], 11: ["eleventh", "elevenths"], 12: ["twelfth", "twelfths"], 100: ["hundredth", "hundredths"],
};
const SIGNS = [
  [/\s*(?:×|·|\\times|\\cdot)\s*/g, " times "], [/\s*(?:÷|\\div)\s*/g, " divided by "], [/\s*=\s*/g, " equals "],
  [/\s*≠\s*/g, " is not "], [/\s*(?:≤|\\le)\s*/g, " is at most "], [/\s*(?:≥|\\ge)\s*/g, " is at least "],
  [/\s<\s/g, " is less than "], [/\s>\s/g, " is greater than "], [/\s\+\s/g, " plus "], [/(?<=\d)\s+-\s+(?=\d)/g, " minus "], [/(?<=[\p{L}\d)])\s+−\s+(?=[\p{L}\d(])/gu, " minus "],
  [/(?<![\w.)])[−-](?=\d|\w\b)/g, "minus "], [/_{2,}/g, " blank "], [/(?<=\d)\s*%/g, " percent"],
  [/²/g, " squared"], [/³/g, " cubed"], [/\^\s*\{?(\w+)\}?/g, " to the power of $1"], [/√\s*/g, " the square root of "],
  [/\s*(?:≈|\\approx)\s*/g, " is about "], [/π|\\pi\b/g, "pi"], [/(?<=\d)\s*°/g, " degrees"],
];
const BLOCKS = [
  ".stream > p, .prose > :not(ul, ol, table, blockquote, pre), .prose li, .prose tr, .prose blockquote > p",
  // Text on cards.
  ".choice, .choices + .tiny, .offered li, .piece, .arrange > ul > .piece:first-child select, .yours, .note > strong",
  ".sources blockquote, .sources li > p, .concept-card h2, .concept-card p, .path > .path-known, .path-steps li, .replies button, .chart-words",
].join();
const LEFT_OUT = ".host, .mark, .unseen, [aria-hidden=true], .how, .acts, .ended, .moves";
const segmenter = window.Intl?.Segmenter && new Intl.Segmenter(document.documentElement.lang, { granularity: "sentence" });

function fraction(whole, top, bottom) {
  const [one, many] = PARTS[bottom] ?? [];
  const part = one ? `${top} ${top === "1" ? one : many}` : `${top} over ${bottom}`;
  return whole ? `${whole} and ${part}` : part;
}

/** Returns a text for a voice: fractions and signs in words, without markup. */
export function spoken(text) {
  let words = text.replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "$1/$2").replace(/\\[()[\]]|[*`$#]+/g, "");
  words = words.replace(/[¼-¾⅐-⅞]/g, (each) => ` ${each.normalize("NFKC")}`);
  words = words.replace(/(?<![\d/.])(?:(\d+) )?(\d+)\s*[/⁄]\s*(\d+)(?![\d/])/g, (_, ...found) => fraction(...found));
  for (const [sign, word] of SIGNS) words = words.replace(sign, word);
  return words.replace(/\s+/g, " ").trim();
}

function mathWords(node) {
  if (!node.children.length) return node.localName === "mo" ? ` ${node.textContent} ` : node.textContent;
  const parts = [...node.children].filter((each) => !each.matches("annotation")).map(mathWords);
  switch (node.localName) {
    case "mfrac": return ` ${parts[0].trim()}/${parts[1].trim()} `;
    case "msup": return `${parts[0]} to the power of ${parts[1]} `;
    case "msqrt": return ` the square root of ${parts.join("")} `;
    default: return parts.join("");
  }
}

/** Returns a block's text, with the place on the page of each piece. */
function pieces(block) {
  const found = [];
  let text = "";
  const add = (words, node) => {
    found.push({ at: text.length, node });
    text += words;
  };
  (function walk(node) {
    if (node.nodeType === Node.TEXT_NODE) return add(node.data, node);
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT)) return;
    // A picture as a choice needs its description; next to text it is skipped.
    if (node.localName === "svg") return block.matches(".choice") && add(node.getAttribute("aria-label") ?? "", node);
    // The partners to choose from are in each row's list: they are read once. A break ends a line like a full stop.
    if (node.localName === "select") return node === block && add([...node.options].filter((each) => each.value).map((each) => each.text).join(", "), node);
    if (node.localName === "br") return add(" ", node);
    if (node.localName === "math") return add(mathWords(node), node);
    if (node.matches(".letter")) return add(`${node.textContent}: `, node);
    for (const child of node.childNodes) walk(child);
    if (node.matches("td, th")) add(", ", node);
  })(block);
  return { text, found };
}

function split(text) {
  if (segmenter) return [...segmenter.segment(text)].map(({ segment, index }) => [index, segment]);
  return [...text.matchAll(/[^.?!…]+[.?!…]*["”’)]*\s*/g)].map((each) => [each.index, each[0]]);
}

function rangeOf(found, from, to) {
  const range = document.createRange();
  const first = found.findLast(({ at }) => at <= from);
  const last = found.findLast(({ at }) => at < to);
  const place = ({ at, node }, offset, isEnd) =>
    node.nodeType === Node.TEXT_NODE
      ? range[isEnd ? "setEnd" : "setStart"](node, Math.min(node.length, offset - at))
      : range[isEnd ? "setEndAfter" : "setStartBefore"](node);
  place(first, from, false);
  place(last, to, true);
  return range;
}

const length = (words) => words.replace(/[^\p{L}\p{N}]/gu, "").length;

/** Returns the sentences of a reply and its cards in order: {text, range, start, end}, the last two counted in letters and digits, which
 *  do not change when the running reply becomes the finished one. A sentence that may still continue is left out. */
export function sentences(reply, ...cards) {
  const isRunning = reply.getAttribute("aria-busy") === "true";
  const blocks = [reply, ...cards].flatMap((part) => [...part.querySelectorAll(BLOCKS)]).filter((block) => !block.closest(LEFT_OUT) && !block.parentElement.closest(".choice"));
  const all = [];
  let end = 0;
  for (const block of blocks) {
    const { text, found } = pieces(block);
    const segments = split(text);
    if (isRunning && block === blocks.at(-1)) segments.pop();
    for (const [at, segment] of segments) {
      const words = spoken(segment);
      const start = end;
      end += length(words);
      const trimmed = segment.trimEnd().length;
      if (end > start) all.push({ text: words, range: rangeOf(found, at, at + trimmed), start, end });
    }
  }
  return all;
}
