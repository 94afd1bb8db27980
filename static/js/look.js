// Light or dark, and text size: applied at once, sent to the server, and remembered for the offline page.
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

  // A page cached on this device does not know who is looking at it.
  if (!root.dataset.text) {
    try {
      apply(...JSON.parse(localStorage.getItem(KEPT)));
    } catch {}
    return;
  }
  remember();
  document.addEventListener("change", (event) => {
    const form = event.target.closest("#look form");
    if (!form?.elements.theme) return;
    apply(form.elements.theme.value, form.elements.text_size.value);
    remember();
  });
})();
