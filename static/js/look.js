// Light or dark, and how large the text is: seen at once, sent to be kept, and remembered for the offline page.
(() => {
  const root = document.documentElement;
  const KEPT = "look";

  function apply(theme, text) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    root.dataset.text = text;
  }
  function remember() {
    try {
      localStorage.setItem(KEPT, JSON.stringify([root.dataset.theme ?? "system", root.dataset.text ?? "normal"]));
    } catch {}
  }

  // A page that was kept on this device does not know whose it is shown to.
  if (!root.dataset.text) {
    try {
      apply(...JSON.parse(localStorage.getItem(KEPT)));
    } catch {}
    return;
  }
  remember();
  document.addEventListener("change", (event) => {
    const form = event.target.closest("#look form");
    if (!form) return;
    apply(form.elements.theme.value, form.elements.text_size.value);
    remember();
  });
})();
