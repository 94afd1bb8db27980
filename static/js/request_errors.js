// Says in words when a request fails: what happened, what to do now. Gone with the next request that works.
(() => {
  const box = () => document.getElementById("trouble");
  const words = () => document.querySelector("[data-trouble-words]")?.dataset ?? {};
  const say = (text) => box() && (box().textContent = text ?? "");

  // A poll saves nothing: if it fails, the page is only out of date.
  const asksByItself = (event) => event.detail.elt?.dataset.poll !== undefined;
  // The button of an answer that did not arrive. Its form has a key, so that sending it again does nothing twice.
  let unsent = null;

  function lost(event) {
    const pressed = event.detail.requestConfig?.triggeringEvent?.submitter;
    const isAnswer = Boolean(pressed?.form?.elements.idempotency_key);
    if (isAnswer) unsent = pressed;
    say(asksByItself(event) ? words().stale : isAnswer ? words().unsent : words().offline);
  }

  // When the connection is back, the words go, and an answer that is still on the page is sent again.
  function back() {
    const pressed = unsent;
    unsent = null;
    say("");
    if (pressed?.isConnected && pressed.form.checkValidity()) pressed.click();
  }

  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:timeout", lost);
  document.addEventListener("htmx:responseError", (event) => {
    const { requestConfig, xhr } = event.detail;
    if (asksByItself(event) || (xhr.status === 503 && requestConfig.verb === "get")) say(words().stale);
    else say({ 429: words().busy, 503: words().unsaved }[xhr.status] ?? words().refused);
  });
  addEventListener("online", back);
  document.addEventListener("htmx:wsOpen", back);
  // This event follows a refusal too.
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => detail.failed || ((unsent = null), say("")));
})();
