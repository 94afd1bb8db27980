// Says at once what the server would refuse: too many or too large files in an input with `data-most-bytes`. The form
// is not sent until other files are chosen.
document.addEventListener("change", ({ target: input }) => {
  if (!input.dataset.mostBytes) return;
  const { mostFiles = 1, many, mostBytes, large } = input.dataset;
  const files = [...input.files];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const said = files.length > mostFiles ? many : bytes > mostBytes ? large : "";
  input.setCustomValidity(said);
  input.parentElement.querySelector("[data-limit]")?.remove();
  if (said) {
    const note = document.createElement("p");
    Object.assign(note, { className: "errorlist", textContent: said });
    note.setAttribute("role", "alert");
    note.dataset.limit = "";
    input.before(note);
  }
});
