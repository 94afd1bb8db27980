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
  const look = (id) => (before = before.then(() => htmx.ajax("GET", location.href, { target: `#${id}`, select: `#${id}`, swap: "outerHTML" })));
  document.addEventListener("learnagent:arrived", ({ detail }) => {
    if (detail.dataset.id) for (const id of ["documents", "poll"]) look(id);
  });
})();
