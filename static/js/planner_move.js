// Moves an entry of the week to another time: by mouse, and by keyboard. Without scripts, the entry's page has a form.
// The server decides what the move means: it may ask whether all of a recurring event are meant.

const STEP = 15; // Minutes of a row.
const START_PX = 5; // A press that moves less is a click.
const grid = () => document.querySelector("[data-week]");
const days = () => [...grid().querySelectorAll("[data-day]")];
const filled = (text, values) => text.replace(/%\((\w+)\)s/g, (_all, name) => values[name] ?? "");
const tell = (text) => { const box = document.getElementById("move-told"); if (box) box.textContent = text; };
const isPhone = () => getComputedStyle(grid()).display === "block";

let move = null; // What is being moved: {link, day, row, ghost, byKeys}; row is null for any time of the day.

function begin(link, byKeys) {
  const day = link.closest("[data-day]");
  const row = link.dataset.row ? Number(link.dataset.row) : null;
  move = { link, byKeys, day, row, length: Number(link.dataset.length ?? 4), ghost: document.createElement("li") };
  move.isTimed = row !== null;
  // Where it was taken hold of, so that it does not jump to the pointer.
  move.grip = 0;
  move.ghost.className = "ghost";
  move.ghost.append(document.createElement("span"));
  link.classList.add("is-moving");
  show();
}

function end() {
  if (!move) return;
  move.ghost.remove();
  move.link.classList.remove("is-moving");
  move = null;
}

const clock = (row) => {
  const minutes = Number(grid().dataset.firstHour) * 60 + (row - 1) * STEP;
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
};

function show() {
  const { day, row, length, ghost, link } = move;
  const time = row === null ? "" : clock(row);
  ghost.firstChild.textContent = time ? `${time} ${link.dataset.title}` : link.dataset.title;
  ghost.className = row === null ? "ghost" : `ghost from-${row} len-${Math.min(length, Number(grid().dataset.rows) + 1 - row)}`;
  (row === null ? day.querySelector("[data-anytime]") : day.querySelector("[data-hours]")).append(ghost);
}

function put(day, row) {
  const last = Number(grid().dataset.rows);
  const placed = row === null ? null : Math.max(1, Math.min(last, row));
  if (day === move.day && placed === move.row) return;
  move.day = day;
  move.row = placed;
  show();
  if (move.byKeys) {
    const words = grid().dataset.wordsAt;
    tell(placed === null ? day.dataset.full : filled(words, { day: day.dataset.full, time: clock(placed) }));
  }
}

function send() {
  const { link, day, row } = move;
  const isSame = day === link.closest("[data-day]") && row === (link.dataset.row ? Number(link.dataset.row) : null);
  end();
  if (isSame) return link.focus();
  const values = { workspace: grid().dataset.workspace, next: grid().dataset.next, occurrence: link.dataset.occurrence, day: day.dataset.day };
  if (row !== null) values.clock = clock(row);
  link.focus({ preventScroll: true });
  htmx.ajax("POST", link.dataset.move, { source: link, target: "#planner", select: "#planner", swap: "outerHTML show:none", values });
}

// --- By mouse ---

let pressed = null;

function overRow(day, y, entry) {
  const hours = day.querySelector("[data-hours]");
  const box = hours.getBoundingClientRect();
  const height = box.height / Math.max(Number(grid().dataset.rows), 1);
  // What belongs to the day as a whole stays above the hours; a task may be put at a time.
  if (entry.isAllDay || (y < box.top && !move.isTimed)) return null;
  return Math.floor((y - box.top - move.grip) / height) + 1;
}

document.addEventListener("pointerdown", (event) => {
  const link = event.target.closest?.("[data-move]");
  if (!link || event.button !== 0 || event.pointerType !== "mouse" || !grid()?.contains(link) || isPhone()) return;
  if (move) end();
  pressed = { link, x: event.clientX, y: event.clientY, isAllDay: !link.dataset.row && Boolean(link.dataset.occurrence) };
});
document.addEventListener("pointermove", (event) => {
  if (!pressed) return;
  if (!move) {
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < START_PX) return;
    begin(pressed.link, false);
    if (move.isTimed) move.grip = pressed.y - pressed.link.getBoundingClientRect().top;
    document.getSelection()?.removeAllRanges();
  }
  event.preventDefault();
  const day = days().find((one) => { const box = one.getBoundingClientRect(); return event.clientX >= box.left && event.clientX < box.right; });
  if (day) put(day, overRow(day, event.clientY, pressed));
});
document.addEventListener("pointerup", () => {
  const wasMoving = pressed && move && !move.byKeys;
  pressed = null;
  if (!wasMoving) return;
  // The click that follows would open the entry.
  addEventListener("click", (event) => { event.preventDefault(); event.stopPropagation(); }, { capture: true, once: true });
  setTimeout(send);
});
document.addEventListener("pointercancel", () => { pressed = null; end(); });

// --- By keyboard ---

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function step([dayStep, rowStep]) {
  const all = days();
  const day = all[all.indexOf(move.day) + dayStep] ?? move.day;
  put(day, move.row === null ? null : move.row + rowStep);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && move) {
    const { link, byKeys } = move;
    pressed = null;
    end();
    if (byKeys) tell(filled(grid().dataset.wordsLeft, { title: link.dataset.title }));
    event.preventDefault();
    return;
  }
  const link = event.target.closest?.("[data-move]");
  if (!link || !grid()?.contains(link) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && !move) {
    event.preventDefault();
    begin(link, true);
    tell(filled(grid().dataset.wordsPicked, { title: link.dataset.title }));
  } else if (move?.byKeys && move.link === link) {
    if (ARROWS[event.key]) {
      event.preventDefault();
      step(ARROWS[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      send();
    }
  }
});
// What is held by keyboard is put back when the focus goes elsewhere.
document.addEventListener("focusout", (event) => { if (move?.byKeys && event.target === move.link && event.relatedTarget) end(); });

// --- Print ---

const showPrint = () => document.querySelectorAll("[data-print]").forEach((button) => { button.hidden = false; });
document.addEventListener("click", (event) => { if (event.target.closest("[data-print]")) print(); });
document.addEventListener("htmx:afterSwap", showPrint);
showPrint();
