// Push to talk: hold the button, or press it to start and stop. If the browser can turn speech into text, the text is
// sent like typed text. Otherwise a recording goes to the server, and its text is put in the box to check first.

const MOST_MS = 120_000;
const KINDS = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];
const FAILURES = {
  "not-allowed": "denied", "service-not-allowed": "denied", NotAllowedError: "denied", SecurityError: "denied",
  "audio-capture": "nomicrophone", NotFoundError: "nomicrophone", NotReadableError: "nomicrophone",
  network: "unreachable", "language-not-supported": "nolanguage", "no-speech": "nothing",
};
const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;

/** Returns the button's actions. `words` are the lines to show, `tell(line, isTrouble)` shows one, `hears()` returns
 *  "browser", "server" or "none". */
export function listen({ words, tell, hears, token }) {
  const form = document.getElementById("compose");
  const box = form.elements.text;
  const touch = matchMedia("(pointer: coarse)");
  let now = null; // The recording in progress: {stop, cancel, state}

  const button = () => document.getElementById("talk-button");
  function draw() {
    if (!button()) return;
    button().setAttribute("aria-pressed", String(now?.state === "hearing"));
    button().toggleAttribute("data-working", now?.state === "working");
  }
  function become(state, line) {
    if (now) now.state = state;
    tell(line ?? "");
    draw();
  }
  function end(line, isTrouble = true) {
    clearTimeout(now?.timer);
    now = null;
    document.dispatchEvent(new CustomEvent("learnagent:listening", { detail: false }));
    tell(line ?? "", Boolean(line) && isTrouble);
    draw();
  }
  const failed = (code) => end(words[FAILURES[code] ?? "failed"]);

  function show(before, heard) {
    box.value = [before, heard.trim()].filter(Boolean).join(" ").slice(0, box.maxLength);
  }
  function settle() {
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function recognize() {
    const recognition = new Recognition();
    const before = box.value.trim();
    let heard = "";
    let fault = "";
    let isDropped = false;
    recognition.lang = document.documentElement.lang;
    recognition.continuous = recognition.interimResults = true;
    recognition.onresult = ({ results }) => {
      if (isDropped) return;
      heard = [...results].map((each) => each[0].transcript).join(" ").replace(/\s+/g, " ");
      show(before, heard);
    };
    recognition.onerror = ({ error }) => (fault = error);
    recognition.onend = () => {
      if (isDropped) return;
      if (!heard.trim()) return failed(fault || "no-speech");
      settle();
      end();
      form.requestSubmit();
    };
    now = {
      stop: () => recognition.stop(),
      cancel: () => {
        isDropped = true;
        recognition.abort();
        if (heard) settle();
        end();
      },
    };
    try {
      recognition.start();
    } catch {
      return failed("failed");
    }
    become("hearing", touch.matches ? words.touch : words.listening);
  }

  async function record() {
    const own = (now = { state: "asking", stop: () => own.cancel(), cancel: () => end() });
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
    } catch (error) {
      return now === own ? failed(error.name) : undefined;
    }
    const close = () => stream.getTracks().forEach((track) => track.stop());
    if (now !== own) return close();
    const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: 32_000 });
    const taken = [];
    recorder.ondataavailable = ({ data }) => taken.push(data);
    recorder.onstop = () => {
      close();
      if (now === own) transcribe(new Blob(taken, { type: recorder.mimeType }), own);
    };
    own.stop = () => recorder.state === "recording" && recorder.stop();
    own.cancel = () => (end(), own.stop());
    recorder.start();
    become("hearing", touch.matches ? words.touch : words.listening);
  }

  async function transcribe(sound, own) {
    const asking = new AbortController();
    own.stop = () => {};
    own.cancel = () => (end(), asking.abort());
    become("working", words.working);
    const fields = new FormData();
    fields.append("file", sound, "said");
    let told = {};
    let isFine = false;
    try {
      const answer = await fetch(words.heard, { method: "POST", body: fields, headers: { "X-CSRFToken": token }, signal: asking.signal });
      isFine = answer.ok;
      told = await answer.json();
    } catch {}
    if (now !== own) return;
    if (!isFine) return end(told.error?.message ?? words.failed);
    if (!told.text) return end(words.nothing);
    show(box.value.trim(), told.text);
    settle();
    end(words.look, false);
    box.focus();
  }

  function begin() {
    const by = hears();
    if (by === "none") return tell(words.none, true);
    document.dispatchEvent(new CustomEvent("learnagent:listening", { detail: true }));
    by === "browser" ? recognize() : record();
    if (now) now.timer = setTimeout(() => now?.stop(), MOST_MS);
  }
  const toggle = () => (now ? now.stop() : begin());

  document.addEventListener("keydown", (event) => event.key === "Escape" && now && (event.preventDefault(), now.cancel()));
  box.addEventListener("input", (event) => (event.isTrusted && now ? now.cancel() : event.isTrusted && tell("")));
  addEventListener("pagehide", () => now?.cancel());
  document.addEventListener("htmx:wsAfterMessage", draw);
  return { toggle, stop: () => now?.stop() };
}
