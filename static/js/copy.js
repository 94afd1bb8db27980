// Copies what was said as text: the learner's words as typed, the tutor's with formulas as their source.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const own = document.querySelector(`${button.dataset.copy}.said`);
  const said = own ? [own.textContent] : [...document.querySelectorAll(`${button.dataset.copy} > .prose`)].map((piece) => {
    const copy = piece.cloneNode(true);
    for (const formula of copy.querySelectorAll("math")) formula.replaceWith(`$${formula.getAttribute("alttext") ?? formula.textContent}$`);
    copy.className = "unseen";
    document.body.append(copy);
    const text = copy.innerText.trim();
    copy.remove();
    return text;
  });
  await navigator.clipboard.writeText(said.join("\n\n"));
  const label = button.querySelector("span");
  const before = label.textContent;
  label.textContent = button.dataset.done;
  setTimeout(() => (label.textContent = before), 1500);
});
