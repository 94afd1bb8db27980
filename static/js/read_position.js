// Tells the server how far this page has read: every 32 events, or after a second.
(() => {
  let wrapper, told = "", toldSeq = 0, timer;

  function tell() {
    clearTimeout(timer);
    timer = undefined;
    const { turn, seq } = document.getElementById("seq")?.dataset ?? {};
    // A turn that runs again restarts from a lower number.
    if (!wrapper || !turn || (turn === told && Number(seq) === toldSeq)) return;
    wrapper.sendImmediately(JSON.stringify({ action: "seen", turn_id: turn, seq: Number(seq) }));
    [told, toldSeq] = [turn, Number(seq)];
  }

  document.addEventListener("htmx:wsOpen", (event) => (wrapper = event.detail.socketWrapper));
  document.addEventListener("htmx:wsClose", () => (wrapper = undefined));
  document.addEventListener("htmx:wsAfterMessage", () => {
    const { turn, seq } = document.getElementById("seq")?.dataset ?? {};
    const behind = turn === told ? Math.abs(Number(seq) - toldSeq) : Number(seq);
    if (behind >= 32) tell();
    else timer ??= setTimeout(tell, 1000);
  });
})();
