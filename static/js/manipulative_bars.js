// Two bars that can be cut into equal parts and moved along each other, to compare them. Nothing of it is graded.
import { PATTERNS, WIDTH, box, button, canvas, clamp, drags, sentence, shape, slides, spoken, written } from "./manipulative_drawing.js";

const HEIGHT = 44;
const MOST_PARTS = 12;
const REACH = WIDTH / 4; // How far a bar can be moved.
const STEP = WIDTH / 24;

export function holdBars(root) {
  const words = JSON.parse(root.dataset.words);
  const start = JSON.parse(root.dataset.bars).map((bar) => ({ ...bar, moved: 0 }));
  let bars = start.map((bar) => ({ ...bar }));
  root.replaceChildren();
  const rows = box(root, "bar-rows");
  const tools = box(root, "board-tools");
  const told = document.createElement("p");
  told.className = "board-tells";
  told.setAttribute("role", "status");
  root.after(told);
  const drawn = bars.map((bar, index) => new Bar(box(rows, "bar-row"), index, bar.label || spoken(words.bar, { number: index + 1 }), words, update));

  function update(index, changed, focus) {
    bars = bars.map((bar, each) => (each === index ? { ...bar, ...changed } : bar));
    show(focus);
  }
  function show(focus) {
    const key = focus ?? (root.contains(document.activeElement) ? document.activeElement.dataset.key : undefined);
    drawn.forEach((bar, index) => bar.draw(bars[index]));
    tools.replaceChildren();
    button(tools, words.again, "again", () => { bars = start.map((bar) => ({ ...bar })); show("again"); }, { disabled: JSON.stringify(bars) === JSON.stringify(start) });
    told.replaceChildren(...bars.flatMap((bar, index) => [index ? ". " : "", sentence(words.told, { bar: written(drawn[index].name), parts: partsText(bar, words) })]), ".");
    if (!key) return;
    const same = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    (same && !same.disabled ? same : root.querySelector("[data-key]:not(:disabled)"))?.focus({ preventScroll: true });
  }
  show();
}

const partsText = (bar, words) => (bar.parts === 1 ? words.uncut : spoken(words.cut, { count: bar.parts }));

class Bar {
  constructor(row, index, name, words, update) {
    Object.assign(this, { row, index, name, words, update, shown: null });
    const title = document.createElement("b");
    title.append(written(name));
    row.append(title);
    this.svg = canvas(row, [-3, -3, WIDTH + REACH + 6, HEIGHT + 6], name, "is-slid");
    this.stepper = box(row, "stepper");
    let from = 0;
    drags(this.svg, {
      begin: (_event, { x }) => {
        from = x - this.shown.moved;
        this.before = this.shown.moved;
        return true;
      },
      move: (_what, { x }) => this.move(x - from),
      end: () => {},
      cancel: () => this.move(this.before),
    });
  }

  move(to) {
    this.update(this.index, { moved: Math.round(clamp(to, 0, REACH)) });
  }

  draw(bar) {
    const { svg, words, name, index, stepper } = this;
    this.shown = bar;
    svg.replaceChildren();
    const percent = Math.round((bar.moved / WIDTH) * 100);
    const group = shape("g", {
      class: "slid-bar", transform: `translate(${bar.moved} 0)`, tabindex: 0, role: "slider", "data-key": `slide-${index}`, "aria-label": spoken(words.slide, { bar: name }),
      "aria-valuemin": 0, "aria-valuemax": Math.round((REACH / WIDTH) * 100), "aria-valuenow": percent, "aria-valuetext": `${partsText(bar, words)}. ${spoken(words.slid, { percent })}`,
    }, svg);
    const shaded = bar.shaded.length || bar.parts === 1 ? bar.shaded : [0];
    for (let part = 0; part < bar.parts; part++) {
      const width = WIDTH / bar.parts;
      shape("rect", { class: shaded.includes(part) ? `pic-shaded ${PATTERNS[index]}` : "pic-blank", x: part * width, y: 0, width, height: HEIGHT }, group);
    }
    slides(group, { value: bar.moved, least: 0, most: REACH, step: STEP, set: (to) => this.move(to) });
    stepper.replaceChildren();
    const cut = (parts, key) => this.update(index, { parts, shaded: bar.shaded.filter((part) => part < parts) }, key);
    button(stepper, "−", `fewer-${index}`, () => cut(bar.parts - 1, `fewer-${index}`), { name: spoken(words.fewer, { bar: name }), disabled: bar.parts <= 1 });
    const count = document.createElement("span");
    count.textContent = partsText(bar, words);
    stepper.append(count);
    button(stepper, "+", `more-${index}`, () => cut(bar.parts + 1, `more-${index}`), { name: spoken(words.more, { bar: name }), disabled: bar.parts >= MOST_PARTS });
  }
}
