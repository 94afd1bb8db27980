// What is asked beside a step: in the panel of a wide window, as a sheet above the bar of a narrow one.
(() => {
  const place = document.getElementById("asides-place");
  const thread = document.getElementById("thread");
  const rail = document.getElementById("rail");
  if (!place || !thread || !rail) return;
  const list = document.getElementById("asides");
  const dock = document.querySelector(".dock");
  const button = (name) => place.querySelector(`[data-asides-do=${name}]`);
  const wide = matchMedia("(min-width: 1151px)");
  const low = matchMedia("(max-height: 480px)");
  const shelf = `aside:${document.body.dataset.person}:${location.pathname}`;
  let step = null; // The step that the questions are beside.
  let answered = ""; // The question that was put away last.
  let left = null; // What had the focus last on the card, which may be rendered anew.
  let shown = ""; // The question that the sheet has come up for.

  // A private window may refuse storage. Then what was put away comes back with a reload.
  try {
    answered = sessionStorage.getItem(shelf) ?? "";
  } catch {}

  const latest = () => list.lastElementChild;
  // A sheet gives way to what was said on the card since.
  const isNewest = (turn) => [...document.querySelectorAll(".turn")].every((each) => Number(each.dataset.number) <= Number(turn.dataset.number));
  const isSheet = () => place.classList.contains("is-sheet");
  const hasBegun = (turn) => !turn.querySelector(".say[aria-busy]") || Boolean(turn.querySelector(".filler") || turn.querySelector(".stream")?.textContent.trim());
  const stepShown = () => [...thread.querySelectorAll(".step")].findLast((each) => !each.hidden) ?? null;

  // What was asked beside a step that is over is kept with it, in the order in which it was said.
  function file() {
    const now = stepShown();
    if (step && now !== step) {
      const opener = now?.closest(".opened").id.slice("opens-".length);
      for (const turn of [...list.children]) if (turn.id !== `turn-${opener}`) put(turn, step);
      place.removeAttribute("data-all");
    }
    step = now;
    // The server knows only after a message has arrived that it belongs to the step: an answer, a request for a hint.
    const moved = list.querySelector(`#turn-${CSS.escape(document.getElementById("asides-moved").dataset.turn)}`);
    if (moved && step) put(moved, step);
  }
  function put(turn, into) {
    const talk = into.querySelector(".step-talk");
    const later = [...talk.children].find((each) => Number(each.dataset.number) > Number(turn.dataset.number));
    talk.insertBefore(turn, later ?? null);
  }

  // A message before an answer that counts can no longer be edited.
  function seal() {
    const last = Math.max(0, ...[...document.querySelectorAll(".turn[data-stays]")].map((turn) => Number(turn.dataset.number)));
    for (const turn of list.children) turn.toggleAttribute("data-stays", turn.hasAttribute("data-stays") || Number(turn.dataset.number) < last);
  }

  // Ways on that the card offers already are not offered twice.
  function compare() {
    const offered = (turn) => [...(turn?.querySelectorAll(".replies button") ?? [])].map((each) => each.textContent).sort().join("|");
    const turn = latest();
    turn?.toggleAttribute("data-repeats", offered(turn) !== "" && offered(turn) === offered(step?.querySelector(".step-talk")?.lastElementChild));
  }

  function arrange() {
    file();
    seal();
    compare();
    // An open drawing board takes the panel's place: then the question follows the card.
    const draws = document.body.classList.contains("has-board");
    const inPanel = wide.matches && !draws;
    if (inPanel && place.parentElement !== rail) rail.querySelector(".rail-close").after(place);
    if (!inPanel && place.parentElement === rail) thread.after(place);
    const turn = latest();
    const isOpen = Boolean(turn) && turn.id !== answered && (wide.matches || (isNewest(turn) && hasBegun(turn)));
    place.toggleAttribute("data-open", isOpen);
    button("earlier").setAttribute("aria-expanded", String(place.hasAttribute("data-all")));
    place.querySelector("[data-asides-step]").textContent = step?.querySelector(".step-line b")?.textContent ?? "";
    place.classList.toggle("is-sheet", isOpen && !wide.matches && !draws && Boolean(step));
    thread.inert = isSheet() && !low.matches;
    if (isOpen && turn.id !== shown) arrive(turn);
  }

  // A new answer is shown from its beginning. Over the card it takes the focus, unless more is being written.
  function arrive(turn) {
    shown = turn.id;
    if (wide.matches) return void (rail.scrollTop = 0);
    place.scrollTop = 0;
    const active = document.activeElement;
    if (active === document.body || (active?.id === "message" && !active.value) || active?.closest("[inert]") || place.contains(active)) {
      place.focus({ preventScroll: !low.matches });
    }
  }

  function putAway() {
    answered = latest()?.id ?? "";
    try {
      sessionStorage.setItem(shelf, answered);
    } catch {}
    arrange();
  }

  // The focus goes back to where it was on the card, or to where the step is read from.
  function close() {
    putAway();
    const beginning = step?.querySelector(".lead, .stem");
    beginning?.setAttribute("tabindex", "-1");
    const before = left?.isConnected ? left : document.getElementById(left?.id);
    const isThere = before && step?.contains(before) && before.checkVisibility();
    ((isThere ? before : beginning) ?? document.getElementById("message"))?.focus({ preventScroll: true });
  }

  const DO = {
    back: close,
    done: close,
    acts: () => button("acts").setAttribute("aria-expanded", String(place.toggleAttribute("data-acts"))),
    earlier: () => (place.toggleAttribute("data-all"), arrange()),
    more: () => document.dispatchEvent(new CustomEvent("learnagent:say", { detail: { text: button("more").textContent.trim() } })),
  };
  place.addEventListener("click", (event) => DO[event.target.closest("[data-asides-do]")?.dataset.asidesDo]?.());
  // One of the tutor's own ways on was taken.
  list.addEventListener("submit", ({ target }) => target.closest(".replies") && putAway());
  thread.addEventListener("focusin", ({ target }) => (left = target));
  // A press on the card behind the sheet, or on the bar's next action, leads back to it.
  document.querySelector(".talk").addEventListener("click", (event) => {
    if (!isSheet() || low.matches) return;
    if (event.target.closest("#bar button:not([data-bar=ask])")) putAway();
    else if (event.target.classList.contains("talk")) close();
  }, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !place.hasAttribute("data-open")) return;
    if (document.querySelector("dialog[open], :popover-open") || event.target.closest(".outbox, .rewrite, .board")) return;
    if (isSheet() || place.contains(event.target)) close();
  });

  for (const name of ["htmx:oobAfterSwap", "htmx:wsAfterMessage", "htmx:afterSwap", "learnagent:step"]) document.addEventListener(name, arrange);
  new MutationObserver(arrange).observe(document.body, { attributeFilter: ["class"] });
  for (const query of [wide, low]) query.addEventListener("change", arrange);
  addEventListener("beforeprint", () => thread.after(place));
  addEventListener("afterprint", arrange);
  new ResizeObserver(() => document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`)).observe(dock);
  document.documentElement.classList.add("has-asides");
  arrange();
})();
