// A box that selects all the rows of a form; shown only with scripts.
for (const form of document.querySelectorAll("[data-select-all]")) {
  const all = form.querySelector("[data-all]");
  const boxes = [...form.querySelectorAll('input[name="person"]')];
  const update = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  };
  all.closest("label").hidden = false;
  all.addEventListener("change", () => boxes.forEach((box) => (box.checked = all.checked)));
  form.addEventListener("change", update);
  update();
}
