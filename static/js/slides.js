// Shows the parts of a lesson one at a time: for a projector. Arrow keys, Page keys, Space for the answer.

const slides = document.querySelector("[data-slides]");

if (slides) {
  const parts = [...slides.querySelectorAll("[data-slide]")];
  const place = slides.querySelector("[data-slide-place]");
  const back = slides.querySelector("[data-slide-back]");
  const on = slides.querySelector("[data-slide-on]");
  let shown = 0;

  const show = (number, { focus = true } = {}) => {
    shown = Math.min(Math.max(number, 0), parts.length - 1);
    parts.forEach((part, index) => part.classList.toggle("is-away", index !== shown));
    place.textContent = `${shown + 1} / ${parts.length}`;
    back.disabled = shown === 0;
    on.disabled = shown === parts.length - 1;
    if (focus) parts[shown].focus({ preventScroll: false });
  };

  const toggleAnswer = () => {
    const answer = parts[shown].querySelector("[data-slide-answer]");
    if (answer) answer.open = !answer.open;
  };

  const steps = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const onControl = event.target.closest("button, a, summary, input, select, textarea");
    if (event.key in steps) {
      event.preventDefault();
      show(shown + steps[event.key]);
    } else if (event.key === " " && !onControl) {
      event.preventDefault();
      toggleAnswer();
    }
  });
  back.addEventListener("click", () => show(shown - 1));
  on.addEventListener("click", () => show(shown + 1));
  slides.querySelector("[data-slides-buttons]").hidden = false;
  slides.querySelector("[data-slides-keys]").hidden = false;
  show(0, { focus: false });
}
