// Keeps an answer that was not sent when a question of a live quiz closed, and shows it under the solution.
(() => {
  let entered = "";

  function entry(card) {
    const chosen = [...card.querySelectorAll("input:checked")].map((box) => box.closest("label")?.querySelector(".text")?.textContent.trim() ?? "");
    const typed = [...card.querySelectorAll("[name=answer]:not([type=radio], [type=hidden])")].filter((field) => field.offsetParent).map((field) => field.value.trim());
    return [...chosen, ...typed].filter(Boolean).join(", ");
  }

  document.addEventListener("htmx:beforeSwap", () => {
    const card = document.querySelector("#live .question[data-state=open]");
    entered = card ? entry(card) : "";
  });
  document.addEventListener("htmx:afterSwap", () => {
    const place = document.querySelector("#live [data-late-answer]");
    if (!place || !entered) return;
    place.querySelector("bdi").textContent = entered;
    place.hidden = false;
    entered = "";
  });
})();
