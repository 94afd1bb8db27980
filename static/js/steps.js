// The steps of a lesson: the latest one is open, finished ones fold to a line, and one bar holds the next action.
(() => {
  const bar = document.getElementById("bar");
  const thread = document.getElementById("thread");
  if (!bar || !thread) return;
  const dock = bar.closest(".dock");
  const button = (name) => bar.querySelector(`[data-bar=${name}]`);
  const primary = button("primary");
  const SHOWN_FOLDS = 3; // More finished steps than this fold into one line.
  const REMARK_WORDS = 4; // Words from which a message says more than "next" or an answer.
  const LED_MS = 2000; // How long a step that grows is kept at the top.
  let pending = null; // A step that arrived while the result of the one before it is being read.
  let isMore = false; // Whether all finished steps are listed.
  let hasSpoken = false; // Whether something was said since the last answer: then its result has been read.

  let isAsking = false; // Whether the reader has opened the message box: some pages begin with the cursor in it.

  const steps = () => [...thread.querySelectorAll(".step")];
  const latest = () => steps().at(-1);
  const shown = () => (pending ? steps().at(-2) : latest());
  const card = (step) => step?.querySelector(".question");
  const state = (step) => card(step)?.dataset.state;
  const form = (step) => card(step)?.querySelector("form[hx-post]:not(.line-form)");
  const isIdle = () => document.activeElement === document.body || (document.activeElement?.id === "message" && !isAsking && !document.activeElement.value);
  const isRunning = () => document.getElementById("composer")?.dataset.state === "running";

  function fold(step, isFolded) {
    step.toggleAttribute("data-folded", isFolded);
    step.querySelector("[data-step-line]")?.setAttribute("aria-expanded", String(!isFolded));
  }

  // The server marks the step of a page; a step that arrives later takes the mark over.
  function arrange() {
    const all = steps();
    const last = all.at(-1);
    if (last && !last.hasAttribute("data-current")) {
      const before = all.at(-2);
      last.setAttribute("data-current", "");
      if (pending) {
        pending.hidden = false; // Another lesson was begun before it was shown.
        pending = null;
      }
      const wasAnswered = before?.hasAttribute("data-current") && state(before) === "answered";
      // An answer that is only noted has no result to read.
      if (wasAnswered && !hasSpoken && card(before).dataset.verdict !== "noted") {
        pending = last;
        last.hidden = true;
      } else {
        if (before) fold(before, true);
        if (before ? state(before) !== "open" : isIdle()) lead(last);
      }
    }
    for (const step of all.slice(0, -1)) step.removeAttribute("data-current");
    if (last) fold(last, false);
    gather();
  }

  function gather() {
    const folded = steps().filter((step) => step.hasAttribute("data-folded"));
    const many = folded.length > SHOWN_FOLDS && !isMore;
    let line = thread.querySelector(".steps-done");
    folded.forEach((step) => (step.hidden = many));
    if (!many) return line?.remove();
    if (!line) {
      line = document.createElement("button");
      line.type = "button";
      line.className = "steps-done";
      line.addEventListener("click", () => ((isMore = true), gather(), folded[0]?.querySelector("[data-step-line]")?.focus()));
    }
    line.textContent = bar.dataset.done.replace("[count]", folded.length);
    folded.at(-1).closest(".opened").before(line);
  }

  function next() {
    const before = shown();
    const step = pending;
    pending = null;
    if (before && before !== step) fold(before, true);
    step.hidden = false;
    gather();
    lead(step);
    refresh();
    document.dispatchEvent(new Event("learnagent:step"));
  }

  // Scroll a step to the top and read it from its beginning.
  function lead(step) {
    const head = document.querySelector(".top").offsetHeight + 12;
    const toTop = (behavior) => scrollTo({ top: scrollY + step.getBoundingClientRect().top - head, behavior });
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    toTop(behavior);
    keepLed(step, () => toTop(behavior));
    const beginning = step.querySelector(".lead, .stem");
    beginning?.setAttribute("tabindex", "-1");
    beginning?.focus({ preventScroll: true });
  }

  // A board is drawn a moment after its card arrives: until the reader moves, the step stays at the top while it grows.
  let led = null;
  function keepLed(step, toTop) {
    led?.abort();
    const kept = (led = new AbortController());
    const before = step.offsetHeight;
    const grown = new ResizeObserver(() => step.offsetHeight !== before && toTop());
    grown.observe(step);
    kept.signal.addEventListener("abort", () => grown.disconnect());
    for (const name of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(name, () => kept.abort(), { signal: kept.signal, passive: true });
    setTimeout(() => kept.abort(), LED_MS);
  }

  const isFilled = (asked) => {
    if (!asked) return false;
    const chosen = asked.querySelector(":is(input[type=radio], input[type=checkbox]):checked");
    if (asked.querySelector("input[type=radio], fieldset.choices")) return Boolean(chosen);
    // Before the fields that a board replaces, of which some are selects.
    const built = asked.querySelector("[data-answer]:enabled");
    if (built) return Boolean(built.value);
    if (asked.querySelector("[data-arrange], select")) return true;
    return [...asked.querySelectorAll("input:not([type=hidden]), textarea")].some((field) => field.value.trim());
  };

  // Whether the choice that is still checked was judged before: it is not sent twice.
  const isJudged = (asked) => asked.querySelector(".note:not(.good)") && asked.querySelector("input[type=radio]:checked[checked]");

  function tryAgain(step, asked) {
    asked.querySelector("input[type=radio]:checked").checked = false;
    lead(step);
    refresh();
  }

  // What the primary button does now: the label, whether it can be pressed, and the action.
  function plan() {
    const step = shown();
    const asked = form(step);
    if (pending) return { label: bar.dataset.next, does: next, isNext: true };
    if (state(step) === "open" && asked) {
      const check = asked.querySelector("[name=action][value=check]");
      const label = check?.textContent.trim() || bar.dataset.check;
      if (isJudged(asked)) return { label: bar.dataset.tryAgain, does: () => tryAgain(step, asked) };
      return { label, isOff: !isFilled(asked), does: () => check.click() };
    }
    if (isRunning()) return { label: bar.dataset.wait, isOff: true, does: () => {} };
    const moment = document.querySelector("#mastery [data-moment]");
    if (moment) return { label: moment.textContent.trim(), does: () => moment.click(), isNext: true };
    const replies = [...thread.querySelectorAll(".replies button")].filter((each) => each.offsetParent);
    if (replies[0]) return { label: replies[0].textContent.trim(), does: () => replies[0].click(), isNext: true };
    return { label: bar.dataset.goOn, does: () => say(bar.dataset.sayGoOn), isNext: true };
  }

  function refresh() {
    const step = shown();
    const asked = state(step) === "open" ? form(step) : null;
    const has = (action) => asked?.querySelector(`[name=action][value=${action}]:not(:disabled)`);
    // Without a lesson, what can be chosen stands under the reply.
    bar.hidden = !step;
    dock.classList.toggle("has-bar", !bar.hidden);
    const now = plan();
    primary.querySelector("[data-bar-label]").textContent = now.label;
    primary.disabled = Boolean(now.isOff);
    primary.classList.toggle("is-next", Boolean(now.isNext));
    button("stuck").hidden = !asked?.querySelector("[value=stuck]");
    button("stuck").disabled = !has("stuck");
    button("show").hidden = !has("give_up") || Boolean(has("known"));
    button("skip").hidden = !asked?.querySelector("[value=stuck]");
  }

  function say(text) {
    const sent = bar.querySelector("[data-bar-say]");
    sent.elements.text.value = text;
    sent.requestSubmit();
  }

  // A click, not requestSubmit: htmx sends the name of a button only if it was clicked.
  const press = (action) => form(shown())?.querySelector(`[name=action][value=${action}]`)?.click();
  primary.addEventListener("click", () => plan().does());
  button("stuck").addEventListener("click", () => press("stuck"));
  button("show").addEventListener("click", () => press("give_up"));
  button("skip").addEventListener("click", () => say(button("skip").textContent.trim()));
  // The box is large while the cursor is in it. It keeps its size until a press is over: what is pressed must not move away.
  const box = dock.querySelector(".compose");
  let isPressed = false;
  function size() {
    if (document.activeElement?.id === "message") box.classList.add("is-writing");
    else if (!isPressed && !box.contains(document.activeElement)) box.classList.remove("is-writing");
    button("ask").setAttribute("aria-expanded", String(box.classList.contains("is-writing")));
  }
  button("ask").addEventListener("click", () => {
    const message = document.getElementById("message");
    const isOpen = box.classList.toggle("is-writing");
    isOpen ? message.focus() : message.blur();
    isAsking = isOpen;
    size();
  });
  box.addEventListener("pointerdown", () => (isAsking = true));
  box.addEventListener("focusout", () => (isAsking = false));
  box.addEventListener("focusin", size);
  box.addEventListener("focusout", () => setTimeout(size));
  document.addEventListener("pointerdown", () => (isPressed = true), true);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(() => ((isPressed = false), size())), true);
  size();
  thread.addEventListener("click", (event) => {
    const line = event.target.closest("[data-step-line]");
    if (line) fold(line.closest(".step"), !line.closest(".step").hasAttribute("data-folded") && !line.closest("[data-current]"));
  });
  thread.addEventListener("input", refresh);
  thread.addEventListener("change", refresh);
  // While a result is being read, "next" or an answer belongs to the step that waits, and a remark to the result.
  document.addEventListener("learnagent:say", ({ detail }) => pending && detail.text.trim().split(/\s+/).length < REMARK_WORDS && next());
  document.addEventListener("htmx:wsConfigSend", () => (hasSpoken = state(latest()) === "answered"));
  thread.addEventListener("htmx:beforeRequest", ({ target }) => target.closest(".question") && (hasSpoken = false));

  const typing = (place) => place.isContentEditable || place.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || event.defaultPrevented) return;
    if (document.querySelector("dialog[open], :popover-open") || bar.hidden) return;
    const answers = [...(form(shown())?.querySelectorAll(".choice input") ?? [])];
    if (event.key === "Enter" && !event.target.closest("a, button, summary, textarea, [role=slider], [data-own-keys]")) {
      if (event.target.closest(".compose, .own-words, .line-form")) return;
      event.preventDefault();
      if (!primary.disabled) primary.click();
    } else if (!typing(event.target) && /^[1-9]$/.test(event.key) && answers[event.key - 1]) {
      event.preventDefault();
      answers[event.key - 1].click();
      answers[event.key - 1].focus();
    } else if (!typing(event.target) && event.key === "h" && !button("stuck").hidden) {
      event.preventDefault();
      button("stuck").click();
    }
  });

  for (const name of ["htmx:oobAfterSwap", "htmx:wsAfterMessage"]) document.addEventListener(name, () => (arrange(), refresh()));
  document.addEventListener("htmx:afterSwap", () => (arrange(), refresh()));
  document.documentElement.classList.add("has-steps");
  arrange();
  refresh();
})();
