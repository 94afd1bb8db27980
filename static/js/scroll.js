// Follows the newest words unless the reader has scrolled up; then a button leads back down.
(() => {
  const NEAR_PX = 120;
  const page = document.scrollingElement;
  let following = true;

  const isAtEnd = () => page.scrollHeight - page.scrollTop - page.clientHeight < NEAR_PX;
  const button = () => document.getElementById("newest");

  function toEnd(behavior = "instant") {
    page.scrollTo({ top: page.scrollHeight, behavior });
  }
  function follow() {
    if (following) toEnd();
    if (button()) button().hidden = following;
  }

  addEventListener("scroll", () => {
    following = isAtEnd();
    if (following && button()) button().hidden = true;
  }, { passive: true });
  document.addEventListener("htmx:wsAfterMessage", follow);
  document.addEventListener("learnagent:sent", () => { following = true; follow(); });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#newest")) return;
    following = true;
    toEnd();
    button().hidden = true;
    document.getElementById("message")?.focus({ preventScroll: true });
  });
  addEventListener("load", () => {
    if (!location.hash) toEnd();
    // A card or a picture that grows after the swap moves the end away from a reader who was there.
    new ResizeObserver(follow).observe(document.getElementById("thread"));
  });
})();
