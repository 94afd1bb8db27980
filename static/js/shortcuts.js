// Keyboard shortcuts: never while typing, and one switch turns them off.
(() => {
  const sheet = document.getElementById("keys");
  if (!sheet) return;
  const OFF = "keys-off";
  const onSwitch = sheet.querySelector("input");
  const typing = (place) => place.isContentEditable || place.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  const press = (selector) => document.querySelector(`${selector}:not(:disabled)`)?.click();
  const go = (link) => location.assign(sheet.dataset[link]);

  function toOwn(step) {
    const head = (document.querySelector(".top")?.offsetHeight ?? 0) + 16;
    const own = [...document.querySelectorAll("#thread .me")];
    const below = own.find((one) => one.getBoundingClientRect().top > head + 8);
    const above = own.findLast((one) => one.getBoundingClientRect().top < head - 8);
    // Below the thread's last one comes what is asked beside the step.
    const found = step > 0 ? (below ?? document.querySelector(".asides[data-open] .turn:last-child .me")) : above;
    if (!found) return;
    found.tabIndex = -1;
    found.focus({ preventScroll: true });
    if (found.closest(".asides")) return;
    scrollTo({ top: scrollY + found.getBoundingClientRect().top - head, behavior: "instant" });
  }
  function search() {
    const field = document.querySelector("input[type=search]");
    field ? (field.focus(), field.select()) : go("search");
  }
  function turnTheme() {
    const isDark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    press(`#look [name=theme][value=${isDark ? "light" : "dark"}]`);
  }
  const KEYS = {
    m: () => document.getElementById("message")?.focus(),
    b: () => { const end = document.getElementById("newest"); end && (end.hidden = false, end.click()); },
    s: () => press("#stop-button"),
    v: () => press("#talk-button"),
    t: () => { const rail = document.getElementById("rail"); rail?.offsetParent ? rail.querySelector("a, button:not(.rail-close)")?.focus() : press(".rail-open"); },
    "/": search,
    n: () => go("begin"),
    j: () => toOwn(1),
    k: () => toOwn(-1),
    d: turnTheme,
    "?": () => sheet.showModal(),
  };
  const areOff = () => { try { return localStorage.getItem(OFF) === "yes"; } catch { return false; } };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || event.defaultPrevented) return;
    if (areOff() || typing(event.target) || document.querySelector("dialog[open]") || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) sheet.showModal();
    // A press outside the sheet closes it.
    if (event.target === sheet) sheet.close();
  });
  onSwitch.checked = !areOff();
  onSwitch.addEventListener("change", () => {
    try {
      onSwitch.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes");
    } catch {}
  });
  for (const button of document.querySelectorAll("[data-keys]")) button.hidden = false;
  if (location.hash === "#q") document.getElementById("q")?.focus();
})();
