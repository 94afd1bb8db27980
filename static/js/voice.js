// Speaking and listening on a conversation's page: what is possible here, and how each browser likes it.
import { canRecognize, canRecord, listen } from "./voice_listen.js";
import { canSpeak, speak } from "./voice_speak.js";

const place = document.getElementById("speech");
if (place) start();

function start() {
  const SHELF = "voice";
  const words = place.dataset;
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  const language = document.documentElement.lang.slice(0, 2);
  const [reads, rate, voice, hearing] = ["speak-replies", "voice-rate", "voice-choice", "voice-hearing"].map((id) => document.getElementById(id));
  const settings = { speak: false, rate: 1, voice: "", hearing: "" };
  const line = document.getElementById("speech-line");

  // A private window may refuse storage: then it is as always the next time.
  try {
    Object.assign(settings, JSON.parse(localStorage.getItem(SHELF)));
  } catch {}
  function keep() {
    try {
      localStorage.setItem(SHELF, JSON.stringify(settings));
    } catch {}
  }
  function tell(text, isTrouble) {
    line.textContent = text;
    line.classList.toggle("is-trouble", Boolean(isTrouble));
  }

  const serverHears = Boolean(words.heard) && canRecord;
  function hears() {
    if (serverHears && (settings.hearing === "server" || !canRecognize)) return "server";
    return canRecognize ? "browser" : "none";
  }

  // Voices of this device come first: others send what they read to their maker.
  function voices() {
    if (!canSpeak) return [];
    const own = speechSynthesis.getVoices().filter((each) => each.lang.toLowerCase().startsWith(language));
    return own.sort((one, other) => other.localService - one.localService || other.default - one.default);
  }
  function offer() {
    const options = voices().map((each) => [each.voiceURI, each.localService ? each.name : words.remote.replace("{name}", each.name)]);
    if (canSpeak && !options.length) options.push(["", words.usual]);
    if (words.said) options.push(["server", words.server]);
    voice.replaceChildren(...options.map(([value, label]) => new Option(label, value)));
    if (!options.some(([value]) => value === settings.voice)) settings.voice = options[0]?.[0] ?? "";
    voice.value = settings.voice;
    const cannot = !options.length;
    for (const field of [reads, rate, voice, document.getElementById("voice-try")]) field.disabled = cannot;
    document.getElementById("voice-mute").hidden = !cannot;
    if (cannot) settings.speak = false;
    mark();
  }
  function mark() {
    reads.checked = settings.speak;
    rate.value = settings.rate;
    document.getElementById("voice-rate-now").textContent = Number(settings.rate).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1 });
    hearing.closest("[data-both]").hidden = !(serverHears && canRecognize);
    hearing.value = hears();
    for (const note of document.querySelectorAll("[data-privacy]")) note.hidden = note.dataset.privacy !== hears();
    for (const opener of document.querySelectorAll("[data-voice-open]")) {
      opener.hidden = false;
      opener.classList.toggle("is-on", settings.speak);
    }
  }

  const reader = speak({ settings, words, tell, address: words.said, token });
  listen({ words, tell, hears, address: words.heard, token });

  reads.addEventListener("change", () => {
    settings.speak = reads.checked;
    if (!settings.speak) reader.stop();
    keep();
    mark();
  });
  rate.addEventListener("input", () => {
    settings.rate = Number(rate.value);
    keep();
    mark();
  });
  voice.addEventListener("change", () => {
    settings.voice = voice.value;
    keep();
  });
  hearing.addEventListener("change", () => {
    settings.hearing = hearing.value;
    keep();
    mark();
  });
  document.getElementById("voice-try").addEventListener("click", () => reader.say(words.sample));
  document.addEventListener("htmx:wsAfterMessage", mark);
  if (canSpeak) speechSynthesis.addEventListener?.("voiceschanged", offer);
  offer();
}
