// Uploads files one after the other. Each has a line with its progress that can be removed. To upload, dispatch
// `learnagent:files`. A line with an id has arrived; `learnagent:arrived` reports each file, arrived or refused.
(() => {
  const list = document.getElementById("uploads");
  if (!list) return;
  const shape = document.getElementById("upload");
  const { address, most, large, lost, done } = list.dataset;
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  const tell = (line) => document.dispatchEvent(new CustomEvent("learnagent:arrived", { detail: line }));
  let before = Promise.resolve();

  function line(name) {
    const li = shape.content.firstElementChild.cloneNode(true);
    li.querySelector(".upload-name").textContent = name;
    li.querySelector("[data-remove]").addEventListener("click", () => {
      li.request?.abort();
      li.remove();
      tell(li);
      (list.querySelector("[data-remove]") ?? document.querySelector("[data-attach], #files"))?.focus();
    });
    list.append(li);
    return li;
  }
  function end(li, words, isRefused) {
    li.classList.remove("is-sending");
    li.classList.toggle("is-refused", Boolean(isRefused));
    li.querySelector(".upload-state").textContent = words ?? "";
    tell(li);
  }
  function arrived(li, { id, name }) {
    li.dataset.id = id;
    li.querySelector(".upload-name").textContent = name;
    end(li, done);
  }
  function answered(li, request) {
    let told;
    try {
      told = JSON.parse(request.response);
    } catch {}
    if (request.status === 201 && told) arrived(li, told);
    else end(li, told?.error?.message ?? lost, true);
  }
  function send(li, file, fields) {
    return new Promise((resolve) => {
      if (!li.isConnected) return resolve();
      const request = (li.request = new XMLHttpRequest());
      request.upload.addEventListener("progress", ({ loaded, total }) => (li.querySelector("progress").value = loaded / total));
      request.addEventListener("load", () => answered(li, request));
      request.addEventListener("error", () => end(li, lost, true));
      request.addEventListener("loadend", resolve);
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append("file", file);
      request.open("POST", address);
      request.setRequestHeader("Accept", "application/json");
      request.setRequestHeader("X-CSRFToken", token);
      request.send(form);
    });
  }
  document.addEventListener("learnagent:files", ({ detail: { files, fields } }) => {
    for (const old of list.querySelectorAll(".is-refused")) old.remove();
    for (const file of files) {
      const li = line(file.name);
      if (file.size > Number(most)) {
        end(li, large, true);
        continue;
      }
      li.classList.add("is-sending");
      before = before.then(() => send(li, file, fields));
    }
  });
  // Files sent before that come back with a refused message.
  document.addEventListener("learnagent:attached", ({ detail }) => {
    for (const each of detail) arrived(line(each.name), each);
  });

  // Files may be dropped only on the drop area; elsewhere the browser would leave the page to show them.
  const place = document.querySelector("[data-drop]");
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  let within;
  addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    within = event.target;
    place?.classList.add("is-over");
  });
  addEventListener("dragleave", (event) => event.target === within && place?.classList.remove("is-over"));
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    place?.classList.remove("is-over");
    document.dispatchEvent(new CustomEvent("learnagent:dropped", { detail: [...event.dataTransfer.files] }));
  });
})();
