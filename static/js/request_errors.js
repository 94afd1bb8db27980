// Says in words when a request fails: what happened, what to do now. Gone with the next request that works.
(() => {
  const box = () => document.getElementById("trouble");
  const words = () => document.querySelector("[data-trouble-words]")?.dataset ?? {};
  const say = (text) => box() && (box().textContent = text ?? "");

  // A poll saves nothing: if it fails, the page is only out of date.
  const asksByItself = (event) => event.detail.elt?.dataset.poll !== undefined;
  const lost = (event) => say(asksByItself(event) ? words().stale : words().offline);

  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:timeout", lost);
  document.addEventListener("htmx:responseError", (event) => {
    const { requestConfig, xhr } = event.detail;
    if (asksByItself(event) || (xhr.status === 503 && requestConfig.verb === "get")) say(words().stale);
    else say({ 429: words().busy, 503: words().unsaved }[xhr.status] ?? words().refused);
  });
  // This event follows a refusal too.
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => detail.failed || say(""));
})();
