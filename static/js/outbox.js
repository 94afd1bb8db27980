// Messages that are not stored yet, in order. One is sent as soon as no turn runs, each with a client id by which the
// server recognizes it. Kept in this browser per person and conversation, also after a reload.
(() => {
  const list = document.getElementById("outbox");
  if (!list) return;
  const shape = document.getElementById("outbox-item");
  const shelf = `outbox:${document.body.dataset.person}:${location.pathname}`;
  const SHOWN_AFTER_MS = 500; // A message sent at once should not flicker.
  const AGAIN_AFTER_MS = 2000;
  const TO_TAKE = "to take"; // In place of a snapshot's id: the drawing has not been sent yet.
  let items = []; // {id, text, attachments?: [{id, name}], board?, unseen?: a question that was not shown yet, retaken?, sent?: it may have arrived, refused?: why it waits for a press}
  const taking = new Map(); // Start times of messages whose drawing is being sent.
  let editing = null;
  let flying = null;
  let socket = null;

  const newId = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
  const isStored = (id) => Boolean(document.querySelector(`[data-client-id="${CSS.escape(id)}"]`));
  const isReady = () => document.getElementById("composer")?.dataset.state === "ready";

  // A private window may refuse storage. Then waiting messages last only as long as the page.
  function load() {
    try {
      items = JSON.parse(localStorage.getItem(shelf)) ?? items;
    } catch {}
  }
  function keep() {
    try {
      if (items.length) localStorage.setItem(shelf, JSON.stringify(items));
      else localStorage.removeItem(shelf);
    } catch {}
  }
  // Another tab may have sent or changed something: storage counts, not this tab's memory.
  function change(how) {
    load();
    items = how(items);
    keep();
    draw();
  }

  function words(item) {
    const { waits, sending, lost, refused } = list.dataset;
    if (item.refused) return refused;
    if (!socket || !navigator.onLine) return lost;
    return item.id === flying?.id ? sending : waits;
  }
  function draw() {
    const since = (item) => (item.id === flying?.id ? flying.since : (taking.get(item.id) ?? 0));
    const isQuick = (item) => Date.now() - since(item) < SHOWN_AFTER_MS;
    const shown = items.filter((item) => !isQuick(item));
    const held = list.contains(document.activeElement) ? document.activeElement : null;
    if (!shown.some(({ id }) => id === editing)) editing = null;
    for (const li of [...list.children]) if (!shown.some(({ id }) => id === li.dataset.id)) li.remove();
    // Rows are reused, so that an edit in progress and a button being pressed survive updates.
    let place = list.firstElementChild;
    for (const item of shown) {
      const li = place?.dataset.id === item.id ? place : list.insertBefore(shape.content.firstElementChild.cloneNode(true), place);
      fill(li, item);
      place = li.nextElementSibling;
    }
    list.hidden = !shown.length;
    if (held && !held.checkVisibility()) focus(held.closest("li"));
  }
  const focus = (li) => ((li?.isConnected && li.querySelector("button:not([hidden])")) || document.getElementById("message"))?.focus();
  function fill(li, item) {
    li.dataset.id = item.id;
    li.classList.toggle("is-refused", Boolean(item.refused));
    const text = li.querySelector(".outbox-text");
    text.textContent = item.text;
    text.hidden = editing === item.id;
    li.querySelector("textarea").hidden = editing !== item.id;
    li.querySelector(".outbox-files").textContent = [...(item.attachments ?? []).map(({ name }) => name), ...(item.board ? [list.dataset.drawing] : [])].join(", ");
    li.querySelector(".outbox-state").textContent = words(item);
    li.querySelector("[data-outbox=again]").hidden = !item.refused;
    // A message that may have arrived already can no longer be changed.
    li.querySelector("[data-outbox=edit]").hidden = Boolean(item.sent);
  }
  function edit(li) {
    editing = li.dataset.id;
    draw();
    const box = li.querySelector("textarea");
    box.value = items.find(({ id }) => id === editing)?.text ?? "";
    box.rows = Math.min(6, box.value.split("\n").length);
    box.focus();
  }
  function done(li, value) {
    const { id } = li.dataset;
    if (editing !== id) return;
    editing = null;
    change((all) => all.map((one) => (one.id === id && value.trim() ? { ...one, text: value, refused: undefined } : one)));
    pump();
  }

  const drawing = (isAnew) => {
    const asked = { isAnew };
    document.dispatchEvent(new CustomEvent("learnagent:board", { detail: asked }));
    return asked.answer;
  };
  // A message is sent with the drawing as it was then, or as it is at sending time; without it rather than never.
  async function take({ id, retaken }, answer = drawing(retaken)) {
    taking.set(id, Date.now());
    setTimeout(draw, SHOWN_AFTER_MS + 10);
    const isLastTry = Boolean(socket);
    const board = await Promise.resolve(answer).catch(() => (isLastTry ? undefined : TO_TAKE));
    taking.delete(id);
    change((all) => all.map((one) => (one.id === id ? { ...one, board } : one)));
    if (board !== TO_TAKE || socket) pump();
  }

  function pump() {
    if (flying && isStored(flying.id)) flying = null;
    if (items.some((item) => isStored(item.id))) change((all) => all.filter((item) => !isStored(item.id)));
    const next = items[0];
    if (!next || !socket || flying || !isReady() || next.refused || editing === next.id) return;
    if (next.board === TO_TAKE) return void (taking.has(next.id) || take(next));
    const { id, text, board, unseen } = next;
    const attachments = (next.attachments ?? []).map((each) => each.id);
    flying = { id, since: Date.now() };
    document.getElementById("error").replaceChildren();
    change((all) => all.map((item) => (item.id === id ? { ...item, sent: true } : item)));
    socket.sendImmediately(JSON.stringify({ action: "say", text, attachments, board, unseen, client_id: id }));
    document.dispatchEvent(new Event("learnagent:sent"));
    setTimeout(draw, SHOWN_AFTER_MS + 10);
  }

  // Refused means that nothing was stored. While another turn runs the message waits; otherwise it goes back into the box.
  function refused(code) {
    const { id } = flying;
    const item = items.find((one) => one.id === id);
    flying = null;
    if (!item) return;
    if (code === "turn_in_progress") {
      change((all) => all.map((one) => (one.id === id ? { ...one, sent: undefined } : one)));
      document.getElementById("error").replaceChildren();
      return void setTimeout(pump, AGAIN_AFTER_MS);
    }
    // Its drawing may be gone, replaced by newer ones or deleted: it is sent once more.
    if (code === "invalid_input" && item.board && !item.retaken) {
      change((all) => all.map((one) => (one.id === id ? { ...one, board: TO_TAKE, retaken: true, sent: undefined } : one)));
      document.getElementById("error").replaceChildren();
      return;
    }
    const back = new CustomEvent("learnagent:refused", { detail: item, cancelable: true });
    const isTaken = !document.dispatchEvent(back);
    change((all) => (isTaken ? all.filter((one) => one.id !== id) : all.map((one) => (one.id === id ? { ...one, board: one.board && TO_TAKE, retaken: true, sent: undefined, refused: true } : one))));
  }

  // Captured: afterwards the steps show the question that waited.
  const say = ({ detail }) => {
    const answer = drawing();
    const unseen = document.querySelector("#thread .step[hidden] .question[data-state=open]")?.id.replace("question-", "");
    const item = { id: detail.id || newId(), text: detail.text, attachments: detail.attachments, board: answer && TO_TAKE, unseen };
    if (answer) take(item, answer);
    change((all) => [...all, item]);
    pump();
  };
  document.addEventListener("learnagent:say", say, { capture: true });
  list.addEventListener("click", (event) => {
    const action = event.target.closest("[data-outbox]")?.dataset.outbox;
    const li = event.target.closest("li");
    const id = li?.dataset.id;
    if (action === "edit") edit(li);
    if (action === "remove") change((all) => all.filter((item) => item.id !== id));
    if (action === "again") change((all) => all.map((item) => (item.id === id ? { ...item, refused: undefined } : item)));
    if (action) pump();
    if (action === "remove") document.getElementById("message")?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const box = event.target;
    const isDone = event.key === "Escape" || (event.key === "Enter" && !event.shiftKey);
    if (!isDone || event.isComposing || !box.matches("textarea")) return;
    event.preventDefault();
    done(box.closest("li"), event.key === "Enter" ? box.value : "");
    document.getElementById("message")?.focus();
  });
  list.addEventListener("focusout", ({ target }) => target.matches("textarea") && done(target.closest("li"), target.value));
  document.addEventListener("htmx:wsOpen", ({ detail }) => {
    socket = detail.socketWrapper;
    draw();
    pump();
  });
  document.addEventListener("htmx:wsClose", () => {
    socket = flying = null;
    draw();
  });
  document.addEventListener("htmx:wsAfterMessage", () => {
    const error = document.querySelector("#error:not(:empty)");
    if (flying && !isStored(flying.id) && error && error.dataset.code !== "not_found") refused(error.dataset.code);
    pump();
  });
  for (const name of ["online", "offline"]) addEventListener(name, draw);
  addEventListener("storage", (event) => {
    if (event.key !== shelf) return;
    if (event.newValue === null) items = [];
    load();
    draw();
    pump();
  });

  load();
  items = items.filter((item) => !isStored(item.id));
  keep();
  draw();
})();
