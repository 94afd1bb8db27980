// Speaking and listening on the conversation page, per browser. The code for listening, reading aloud and settings
// is loaded when it is first used.
const place = document.getElementById("speech");
if (place) start();

function start() {
  const SHELF = "voice";
  const HELD_MS = 400; // A longer press is a hold.
  const words = place.dataset;
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  const settings = { speak: false, rate: 1, voice: "", hearing: "" };
  const line = document.getElementById("speech-line");
  let pressedAt = 0;

  // A private window may refuse storage. Then the next visit starts with the defaults.
  try {
    Object.assign(settings, JSON.parse(localStorage.getItem(SHELF)));
  } catch {}
  function keep() {
    try {
      localStorage.setItem(SHELF, JSON.stringify(settings));
    } catch {}
    mark();
  }
  function tell(text, isTrouble) {
    line.textContent = text;
    line.classList.toggle("is-trouble", Boolean(isTrouble));
  }

  const serverHears = Boolean(words.heard && window.MediaRecorder && navigator.mediaDevices?.getUserMedia);
  const browserHears = Boolean(window.SpeechRecognition ?? window.webkitSpeechRecognition);
  function hears() {
    if (serverHears && (settings.hearing === "server" || !browserHears)) return "server";
    return browserHears ? "browser" : "none";
  }

  function once(load) {
    let loaded = null;
    return () => {
      loaded ??= load();
      loaded.catch(() => (loaded = null));
      return loaded;
    };
  }
  const reader = once(async () => (await import("./voice_speak.js")).speak({ settings, words, tell, token }));
  const listener = once(async () => (await import("./voice_listen.js")).listen({ words, tell, hears, token }));
  const panel = once(async () => (await import("./voice_settings.js")).offer({ settings, keep, words, hears, reader, mayChoose: serverHears && browserHears }));

  const lost = () => tell(words.lost, true);
  const toggle = () => listener().then((it) => it.toggle(), lost);
  const onTalk = (event) => event.target.closest?.("[data-talk]");
  document.addEventListener("pointerover", (event) => onTalk(event) && listener().catch(() => {}));
  document.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !onTalk(event)) return;
    pressedAt = onTalk(event).ariaPressed === "true" ? 0 : Date.now();
    toggle();
  });
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      if (pressedAt && Date.now() - pressedAt > HELD_MS) listener().then((it) => it.stop(), () => {});
      pressedAt = 0;
    });
  }
  // A press by keyboard or screen reader comes without a pointer.
  document.addEventListener("click", (event) => onTalk(event) && event.detail === 0 && toggle());
  document.addEventListener("contextmenu", (event) => onTalk(event) && event.preventDefault());
  document.getElementById("sound").addEventListener("beforetoggle", () => panel().catch(lost));

  // The composer is replaced with every turn.
  function mark() {
    for (const button of document.querySelectorAll("[data-talk], [data-voice-open]")) button.hidden = false;
    document.getElementById("voice-open")?.classList.toggle("is-on", settings.speak);
  }
  document.addEventListener("htmx:wsAfterMessage", mark);
  mark();
  if (settings.speak) reader().catch(() => {});
}
