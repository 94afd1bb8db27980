// Follows the newest message unless the reader has scrolled up; then a button leads back down.
(() => {
  const NEAR_PX = 120;
  const page = document.scrollingElement;
  let following = true;
  let height = 0; // Page height when last followed or scrolled.
  let acted; // The card and the action of the last press: what came of it is kept in view.
  let ledTo; // The question the reader was last scrolled to. From there they read on at their own pace.

  const button = () => document.getElementById("newest");

  const asking = () => document.querySelector("#thread > :last-child .say:has(.question[data-state=open])")
    ?? document.querySelector(".step[data-current]:has(.question[data-state=open]):not(:has(.step-talk .turn))");

  // The verdict or the help that the last press brought; nothing once the learner says something, or the card is folded.
  const told = () => {
    // What is said may answer the question: then its result is read first.
    if (acted?.isSaid && document.getElementById(acted.id)?.dataset.state !== "answered") return null;
    const found = acted && document.getElementById(acted.id)?.querySelector(`[data-focus~="${CSS.escape(acted.action)}"]`);
    return found?.offsetParent ? found : null;
  };

  // If a reply with a question does not fit, scroll to its top: a question is read from the start.
  function end() {
    const bottom = page.scrollHeight - page.clientHeight;
    const reply = told() ?? asking();
    if (!reply) return bottom;
    const head = document.querySelector(".top").offsetHeight + 12;
    return Math.min(bottom, page.scrollTop + reply.getBoundingClientRect().top - head);
  }
  const isAtEnd = () => page.scrollTop > end() - NEAR_PX;

  function toEnd() {
    page.scrollTo({ top: end(), behavior: "instant" });
  }
  function follow() {
    const question = asking()?.querySelector(".question").id;
    const isRewriting = document.activeElement?.closest(".rewrite"); // Don't scroll while a message is being edited.
    if (following && !isRewriting && (question !== ledTo || end() > page.scrollTop)) toEnd();
    ledTo = question;
    height = page.scrollHeight;
    if (button()) button().hidden = following;
  }

  addEventListener("scroll", () => {
    const isOther = height && page.scrollHeight !== height;
    height = page.scrollHeight;
    if (following && isOther) return; // Moved by a change above or below, not by the reader.
    following = isAtEnd();
    if (following && button()) button().hidden = true;
  }, { passive: true });
  document.addEventListener("htmx:wsAfterMessage", follow);
  document.addEventListener("learnagent:sent", () => {
    const open = document.querySelector("#thread .step[data-current] .question[data-state=open]");
    acted = open && { id: open.id, action: "check", isSaid: true };
    following = true;
    follow();
  });
  // A reply to an answer follows below; help stays on its card, to which focus.js leads. Told by the request too: if the
  // socket has replaced the card already, htmx drops the response.
  for (const name of ["htmx:beforeRequest", "htmx:beforeSwap"]) {
    document.addEventListener(name, ({ detail }) => {
      const { action } = detail.requestConfig?.parameters ?? {};
      if (!action || !detail.target.closest("#thread")) return;
      acted = { id: detail.target.id, action };
      following = action === "check" || action === "give_up";
    });
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#newest")) return;
    following = true;
    toEnd();
    button().hidden = true;
    document.getElementById("message")?.focus({ preventScroll: true });
  });
  addEventListener("load", () => {
    if (!location.hash) follow();
    // A card or picture that grows after the swap moves the end away from a reader who was there; so does a panel
    // opened above the message box.
    const grown = new ResizeObserver(follow);
    for (const piece of document.querySelectorAll("#thread, .dock")) grown.observe(piece);
  });
})();
