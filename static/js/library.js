// Files for the library: chosen or dropped, sent at once, and listed when they have arrived.
(() => {
  const form = document.getElementById("drop");
  if (!form) return;
  const input = form.elements.file;
  const folder = form.elements.folder?.value;
  const add = (files) => files.length && document.dispatchEvent(new CustomEvent("learnagent:files", { detail: { files, fields: folder ? { folder } : {} } }));

  input.addEventListener("change", () => {
    add([...input.files]);
    input.value = "";
  });
  document.addEventListener("learnagent:dropped", ({ detail }) => add(detail));
  // One after the other: of two simultaneous requests, htmx drops one.
  let before = Promise.resolve();
  const look = () => (before = before.then(() => htmx.ajax("GET", location.href, { target: "#documents", select: "#documents", swap: "outerHTML" })));
  document.addEventListener("learnagent:arrived", ({ detail }) => detail.dataset.id && look());
  // A poll's answer must not replace the newer list: it knows neither the new files nor what has been read since.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => detail.target.id === "documents" && htmx.trigger("#poll", "htmx:abort"));
})();
