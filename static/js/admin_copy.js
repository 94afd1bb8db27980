// Copies an address that an admin enters somewhere else. Without it, the address can be selected and copied by hand.
for (const button of document.querySelectorAll("[data-copies]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = label), 1500);
  });
}
