// Files sent with a message: chosen, dropped on the page, or pasted as a picture.
(() => {
  const list = document.getElementById("uploads");
  if (!list) return;
  const [input, photo] = [document.getElementById("files"), document.getElementById("photo")];
  const tooMany = document.getElementById("too-many");
  const MOST = 5;

  function add(files) {
    const room = MOST - list.querySelectorAll("li:not(.is-refused)").length;
    document.dispatchEvent(new CustomEvent("learnagent:files", { detail: { files: files.slice(0, room), fields: { to: "message" } } }));
    tooMany.hidden = files.length <= room;
    document.getElementById("message").focus();
  }
  // The composer is replaced with every turn.
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-attach]")) input.click();
    if (target.closest("[data-photo]")) photo.click();
  });
  for (const each of [input, photo]) {
    each.addEventListener("change", () => {
      add([...each.files]);
      each.value = "";
    });
  }
  document.addEventListener("learnagent:dropped", ({ detail }) => add(detail));
  document.getElementById("message").addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    add(files);
  });
  document.addEventListener("learnagent:arrived", () => (tooMany.hidden = true));
})();
