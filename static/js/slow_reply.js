// If a reply takes long to start, a line in its place says so. It is never stored.
(() => {
  const thread = document.getElementById("thread");
  if (!thread?.dataset.fillerThink) return;
  const PATIENCE_MS = 1500;
  let sentAt = 0; // When this page sent its last message, until the reply is awaited.
  let timer;
  let awaited; // The awaited reply.

  const begun = (reply) => Boolean(reply.querySelector(".stream .slot") || reply.querySelector(".stream")?.textContent.trim());
  function words(turn) {
    const { fillerLook, fillerThink } = thread.dataset;
    return turn.querySelector(":scope > .shot, :scope > .attached img") ? fillerLook : fillerThink;
  }
  function show(reply) {
    if (!reply.isConnected || begun(reply)) return;
    const line = document.createElement("p");
    line.className = "filler";
    line.textContent = words(reply.closest(".turn"));
    reply.querySelector(".stream").before(line);
    document.getElementById("announce").textContent = line.textContent;
  }
  function look() {
    const reply = document.querySelector(".say[aria-busy=true]");
    if (reply && !begun(reply)) {
      if (reply.id === awaited) return;
      clearTimeout(timer);
      awaited = reply.id;
      timer = setTimeout(show, sentAt ? Math.max(0, sentAt + PATIENCE_MS - Date.now()) : PATIENCE_MS, reply);
      sentAt = 0;
      return;
    }
    clearTimeout(timer);
    awaited = undefined;
    for (const line of document.querySelectorAll(".turn .filler")) line.remove();
  }

  document.addEventListener("learnagent:sent", () => (sentAt = Date.now()));
  document.addEventListener("htmx:wsAfterMessage", look);
  look();
})();
