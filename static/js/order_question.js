// Moves the pieces of an order by buttons or by dragging. The selects underneath hold the places.
(() => {
  const pieces = (list) => [...list.querySelectorAll(".piece")];
  const select = (piece) => piece.querySelector("select");

  function prepare(list) {
    list.classList.add("is-arranged");
    const places = pieces(list).map((piece) => Number(select(piece).value));
    if (places.every(Boolean) && new Set(places).size === places.length) {
      list.append(...pieces(list).sort((a, b) => select(a).value - select(b).value));
    }
    for (const piece of pieces(list)) {
      piece.draggable = true;
      // A hidden required field would block the form without a visible message, so the server checks for missing values.
      select(piece).required = false;
      select(piece).hidden = true;
      piece.querySelector(".moves").hidden = false;
    }
    const how = list.closest("fieldset").querySelector("[data-with-moves]");
    if (how) how.textContent = how.dataset.withMoves;
    mark(list);
  }

  function mark(list) {
    const all = pieces(list);
    for (const piece of all) {
      piece.querySelector('[data-move="-1"]').disabled = piece === all[0];
      piece.querySelector('[data-move="1"]').disabled = piece === all[all.length - 1];
    }
  }

  function number(list, moved) {
    pieces(list).forEach((piece, index) => (select(piece).value = String(index + 1)));
    mark(list);
    const status = list.closest("fieldset").querySelector("[data-arranged]");
    status.textContent = list.dataset.moved.replace("[piece]", moved.dataset.piece).replace("[place]", select(moved).value);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move]");
    if (!button) return;
    const piece = button.closest(".piece");
    const list = piece.parentElement;
    const other = button.dataset.move === "1" ? piece.nextElementSibling : piece.previousElementSibling;
    if (!other) return;
    button.dataset.move === "1" ? other.after(piece) : other.before(piece);
    number(list, piece);
    (button.disabled ? piece.querySelector(".moves button:not(:disabled)") : button).focus();
  });

  let dragged = null;
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.(".is-arranged .piece") ?? null;
    if (!dragged) return;
    event.dataTransfer.setData("text/plain", dragged.dataset.piece); // Some browsers don't drag without data.
    dragged.classList.add("is-dragged");
  });
  document.addEventListener("dragover", (event) => {
    const over = dragged && event.target.closest?.(".piece");
    if (!over || over.parentElement !== dragged.parentElement) return;
    event.preventDefault();
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
