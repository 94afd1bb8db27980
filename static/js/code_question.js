// The field of a program: Tab and Enter keep its indentation, and Run shows what it prints.
(() => {
  const INDENT = "    ";
  let leaves = null; // The field that the next Tab leaves, after Escape.

  // Typed through the browser, so that its own undo works.
  function type(field, from, to, text) {
    field.setSelectionRange(from, to);
    if (!(text ? document.execCommand("insertText", false, text) : from === to || document.execCommand("delete"))) {
      field.setRangeText(text, from, to, "end");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  const lineStart = (text, place) => text.lastIndexOf("\n", place - 1) + 1;

  function indent(field, isBack) {
    const { value, selectionStart: from, selectionEnd: to } = field;
    if (!isBack && from === to) return type(field, from, to, INDENT.slice((from - lineStart(value, from)) % INDENT.length));
    const first = lineStart(value, from);
    const lines = value.slice(first, to).split("\n");
    const moved = lines.map((line) => (isBack ? line.replace(/^ {1,4}/, "") : line && INDENT + line));
    const shift = moved[0].length - lines[0].length;
    const text = moved.join("\n");
    if (text === lines.join("\n")) return;
    type(field, first, to, text);
    const start = Math.max(first, from + shift);
    field.setSelectionRange(start, from === to ? start : first + text.length);
  }

  function newLine(field) {
    const { value, selectionStart: from, selectionEnd: to } = field;
    const line = value.slice(lineStart(value, from), from);
    const spaces = line.match(/^ */)[0];
    const ends = /^\s*(return|break|continue|pass)\b/.test(line) && spaces.length >= INDENT.length;
    const next = /:\s*(#.*)?$/.test(line) ? spaces + INDENT : ends ? spaces.slice(INDENT.length) : spaces;
    type(field, from, to, "\n" + next);
  }

  function back(field) {
    const { value, selectionStart: from, selectionEnd: to } = field;
    const before = value.slice(lineStart(value, from), from);
    if (from !== to || !before || before.trim()) return false;
    type(field, from - ((before.length - 1) % INDENT.length) - 1, from, "");
    return true;
  }

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("[data-code]");
    if (!field || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isLeaving = leaves === field;
    if (event.key !== "Shift") leaves = event.key === "Escape" ? field : null;
    if (event.key === "Tab" && !isLeaving) indent(field, event.shiftKey);
    else if (event.key === "Enter" && !event.shiftKey) newLine(field);
    else if (event.key !== "Backspace" || !back(field)) return;
    event.preventDefault();
  });

  async function run(place) {
    const field = place.closest("form").querySelector("[data-code]");
    const shown = place.querySelector(".ran");
    const button = place.querySelector("button");
    shown.textContent = place.dataset.waiting;
    button.setAttribute("aria-busy", "true");
    const posted = new FormData();
    posted.append("answer", field.value);
    const headers = { "X-CSRFToken": JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"] };
    try {
      const response = await fetch(place.dataset.run, { method: "POST", headers, body: posted });
      if (!response.headers.get("Content-Type")?.startsWith("text/html") || response.redirected) throw new Error();
      if (![200, 422, 429].includes(response.status)) throw new Error();
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      shown.replaceChildren(...page.body.childNodes);
    } catch {
      shown.textContent = place.dataset.failed;
    }
    button.removeAttribute("aria-busy");
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-run] > button");
    if (button && button.getAttribute("aria-busy") !== "true") run(button.parentElement);
  });

  function prepareAll() {
    document.querySelectorAll("[data-run][hidden]").forEach((place) => (place.hidden = false));
    document.querySelectorAll("[data-with-keys]").forEach((words) => (words.textContent = words.dataset.withKeys));
  }
  prepareAll();
  for (const name of ["htmx:afterSwap", "htmx:oobAfterSwap", "htmx:wsAfterMessage"]) document.addEventListener(name, prepareAll);
})();
