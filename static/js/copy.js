// Copies what the tutor said as text, with formulas as their source.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const said = [...document.querySelectorAll(`${button.dataset.copy} > .prose`)].map((piece) => {
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
