// Says in words when a request fails: what happened, what to do now. Gone with the next request that works.
(() => {
  const box = () => document.getElementById("trouble");
  const words = () => document.querySelector("[data-trouble-words]")?.dataset ?? {};
  const say = (text) => box() && (box().textContent = text ?? "");

  document.addEventListener("htmx:sendError", () => say(words().offline));
  document.addEventListener("htmx:timeout", () => say(words().offline));
  document.addEventListener("htmx:responseError", (event) => {
    say(event.detail.xhr.status === 429 ? words().busy : words().refused);
  });
  document.addEventListener("htmx:afterOnLoad", () => say(""));
})();
