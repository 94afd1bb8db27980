// Pictures that are worked on: boards that a question is answered on, bars to compare, and plots with sliders; and the
// field of a program. The code of a kind is loaded when a page first has one; until then, and without JavaScript, the
// form's own fields are shown.
const KINDS = {
  shade: () => import("./manipulative_parts.js"),
  cut: () => import("./manipulative_parts.js"),
  place: () => import("./manipulative_lengths.js"),
  build: () => import("./manipulative_lengths.js"),
  share: () => import("./manipulative_amounts.js"),
  combine: () => import("./manipulative_amounts.js"),
  point: () => import("./manipulative_plane.js"),
  line: () => import("./manipulative_plane.js"),
  balance: () => import("./manipulative_balance.js"),
};

async function prepare(root) {
  root.dataset.ready = "";
  const { [root.dataset.manipulative]: tool } = await KINDS[root.dataset.manipulative]();
  const { hold } = await import("./manipulative_frame.js");
  hold(root, tool);
}

async function prepareBars(root) {
  root.dataset.ready = "";
  (await import("./manipulative_bars.js")).holdBars(root);
}

async function preparePlot(svg) {
  svg.dataset.ready = "";
  (await import("./plot.js")).holdPlot(svg);
}

// The listeners of other scripts come first: what they restore in the fields is not needed here.
function prepareAll() {
  document.querySelectorAll("[data-manipulative]:not([data-ready])").forEach(prepare);
  document.querySelectorAll("[data-bars]:not([data-ready])").forEach(prepareBars);
  document.querySelectorAll("svg[data-plot]:not([data-ready])").forEach(preparePlot);
  if (document.querySelector("textarea[data-code]")) import("./code_question.js");
}
prepareAll();
for (const name of ["htmx:afterSwap", "htmx:oobAfterSwap", "htmx:wsAfterMessage"]) document.addEventListener(name, prepareAll);
