// Moves the pieces of an order by buttons or by dragging. The selects underneath hold the places. The lines of a program
// are indented as well, and those below a mark are left out.
(() => {
  const pieces = (list) => [...list.querySelectorAll(".piece")];
  const select = (piece) => piece.querySelector("select");

  function prepare(list) {
    list.classList.add("is-arranged");
    const leftOut = list.querySelector("[data-left-out-mark]");
    if (leftOut) leftOut.hidden = false;
    const places = pieces(list).map((piece) => Number(select(piece).value));
    if (places.every(Boolean) && new Set(places).size === places.length) {
      list.append(...pieces(list).sort((a, b) => select(a).value - select(b).value));
    }
    const used = pieces(list).filter((piece) => select(piece).value);
    if (list.dataset.indented && used.length) {
      used.sort((a, b) => select(a).value - select(b).value);
      list.prepend(...used);
      if (leftOut) used.at(-1).after(leftOut);
    }
    for (const piece of pieces(list)) {
      piece.draggable = true;
      // A hidden required field would block the form without a visible message, so the server checks for missing values.
      for (const field of piece.querySelectorAll("select")) {
        field.required = false;
        field.hidden = true;
      }
      piece.querySelector(".moves").hidden = false;
    }
    const how = list.closest("fieldset").querySelector("[data-with-moves]");
    if (how) how.textContent = how.dataset.withMoves;
    // The lines of a program are an answer as they stand, so that one that is right already can be sent.
    if (list.dataset.indented) place(list);
    mark(list);
  }

  function mark(list) {
    for (const piece of pieces(list)) {
      piece.querySelector('[data-move="-1"]').disabled = piece === list.firstElementChild;
      piece.querySelector('[data-move="1"]').disabled = piece === list.lastElementChild;
      const level = indentation(piece);
      if (!level) continue;
      piece.dataset.level = level.value;
      piece.querySelector('[data-indent="-1"]').disabled = level.selectedIndex === 0;
      piece.querySelector('[data-indent="1"]').disabled = level.selectedIndex === level.length - 1;
    }
  }

  const indentation = (piece) => piece.querySelector("[data-indent-field]");

  function place(list) {
    let number = 0;
    let isUsed = true;
    for (const child of list.children) {
      if (child.matches("[data-left-out-mark]")) isUsed = false;
      else select(child).value = isUsed ? String((number += 1)) : "";
    }
  }

  function say(list, piece, template) {
    const words = template.replace("[piece]", piece.dataset.piece).replace("[place]", select(piece).value);
    list.closest("fieldset").querySelector("[data-arranged]").textContent = words.replace("[level]", piece.dataset.level);
  }

  function number(list, moved) {
    place(list);
    mark(list);
    say(list, moved, select(moved).value ? list.dataset.moved : list.dataset.leftOut);
  }

  function indent(piece, by) {
    const level = indentation(piece);
    level.selectedIndex = Math.max(0, Math.min(level.length - 1, level.selectedIndex + by));
    mark(piece.parentElement);
    say(piece.parentElement, piece, piece.parentElement.dataset.indented);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move], [data-indent]");
    if (!button) return;
    const piece = button.closest(".piece");
    if (button.dataset.indent) {
      indent(piece, Number(button.dataset.indent));
      if (button.disabled) piece.querySelector("[data-indent]:not(:disabled)").focus();
      return;
    }
    const list = piece.parentElement;
    const other = button.dataset.move === "1" ? piece.nextElementSibling : piece.previousElementSibling;
    if (!other) return;
    button.dataset.move === "1" ? other.after(piece) : other.before(piece);
    number(list, piece);
    (button.disabled ? piece.querySelector(".moves button:not(:disabled)") : button).focus();
  });

  const LEVEL_WIDTH = 28; // Pixels to the side that are one level of indentation.
  let dragged = null;
  let start = null;
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.(".is-arranged .piece") ?? null;
    if (!dragged) return;
    event.dataTransfer.setData("text/plain", dragged.dataset.piece); // Some browsers don't drag without data.
    dragged.classList.add("is-dragged");
    start = { x: event.clientX, level: indentation(dragged)?.selectedIndex };
  });
  document.addEventListener("dragover", (event) => {
    const over = dragged && event.target.closest?.(".piece, [data-left-out-mark]");
    if (!over || over.parentElement !== dragged.parentElement) return;
    event.preventDefault();
    const level = indentation(dragged);
    if (level) {
      const aim = start.level + Math.round((event.clientX - start.x) / LEVEL_WIDTH);
      level.selectedIndex = Math.max(0, Math.min(level.length - 1, aim));
      dragged.dataset.level = level.value;
    }
    const box = over.getBoundingClientRect();
    if (over !== dragged) event.clientY < box.top + box.height / 2 ? over.before(dragged) : over.after(dragged);
  });
  document.addEventListener("dragend", () => {
    if (!dragged) return;
    dragged.classList.remove("is-dragged");
    number(dragged.parentElement, dragged);
    dragged = null;
  });

  const prepareAll = () => document.querySelectorAll("[data-arrange]:not(.is-arranged)").forEach(prepare);
  prepareAll();
  for (const name of ["htmx:afterSwap", "htmx:oobAfterSwap", "htmx:wsAfterMessage"]) document.addEventListener(name, prepareAll);
})();
