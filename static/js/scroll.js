// Follows the newest words unless the reader has scrolled up; then a button leads back down.
(() => {
  const NEAR_PX = 120;
  const page = document.scrollingElement;
  let following = true;
  let height = 0; // Of the page, when it was last followed or scrolled.
  let ledTo; // The question whose top the reader was led to. From there they read on at their own pace.

  const button = () => document.getElementById("newest");

  const asking = () => document.querySelector("#thread > :last-child .say:has(.question[data-state=open])");

  // The end is where a reply that asks something begins, if all of it does not fit: a question is read from its top.
  function end() {
    const bottom = page.scrollHeight - page.clientHeight;
    const reply = asking();
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
    const isRewriting = document.activeElement?.closest(".rewrite"); // Whoever changes what they said is led nowhere.
    if (following && !isRewriting && (question !== ledTo || end() > page.scrollTop)) toEnd();
    ledTo = question;
    height = page.scrollHeight;
    if (button()) button().hidden = following;
  }

  addEventListener("scroll", () => {
    const isOther = height && page.scrollHeight !== height;
    height = page.scrollHeight;
    if (following && isOther) return; // What changed above or below moved it, not the reader.
    following = isAtEnd();
    if (following && button()) button().hidden = true;
  }, { passive: true });
  document.addEventListener("htmx:wsAfterMessage", follow);
  document.addEventListener("learnagent:sent", () => { following = true; follow(); });
  // What the team says to an answer follows below; a hint, or an answer that could not be read, stays on its card.
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
    const action = detail.requestConfig.parameters.action;
    if (detail.xhr.status === 200 && (action === "check" || action === "give_up")) following = true;
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#newest")) return;
    following = true;
    toEnd();
    button().hidden = true;
    document.getElementById("message")?.focus({ preventScroll: true });
  });
  addEventListener("load", () => {
    if (!location.hash) follow();
    // A card or a picture that grows after the swap moves the end away from a reader who was there; so does what is
    // opened above the message box.
    const grown = new ResizeObserver(follow);
    for (const piece of document.querySelectorAll("#thread, .dock")) grown.observe(piece);
  });
})();
