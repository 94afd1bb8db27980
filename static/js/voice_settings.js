// The settings sheet: whether replies are read aloud, the voice, the speed, and what turns speech into text.
import { voices } from "./voice_speak.js";

/** Fills the sheet and wires it. `reader()` returns a promise of the reader. */
export function offer({ settings, keep, words, hears, reader, mayChoose }) {
  const [reads, rate, voice, hearing, sample] = ["speak-replies", "voice-rate", "voice-choice", "voice-hearing", "voice-try"].map((id) => document.getElementById(id));

  function fill() {
    const found = voices(words);
    voice.replaceChildren(...found.map(([value, label]) => new Option(label, value)));
    voice.value = found.some(([value]) => value === settings.voice) ? settings.voice : found[0]?.[0];
    for (const field of [reads, rate, voice, sample]) field.disabled = !found.length;
    document.getElementById("voice-mute").hidden = Boolean(found.length);
    reads.checked = settings.speak && found.length > 0;
    rate.value = settings.rate;
    document.getElementById("voice-rate-now").textContent = Number(settings.rate).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1 });
    hearing.closest("[data-both]").hidden = !mayChoose;
    hearing.value = hears();
    for (const note of document.querySelectorAll("[data-privacy]")) note.hidden = note.dataset.privacy !== hears();
  }
  function change(name, value) {
    settings[name] = value;
    keep();
    fill();
  }
  reads.addEventListener("change", async () => {
    change("speak", reads.checked);
    const it = await reader();
    settings.speak ? it.begin() : it.stop();
  });
  rate.addEventListener("input", () => change("rate", Number(rate.value)));
  voice.addEventListener("change", () => change("voice", voice.value));
  hearing.addEventListener("change", () => change("hearing", hearing.value));
  sample.addEventListener("click", async () => (await reader()).say(words.sample));
  window.speechSynthesis?.addEventListener?.("voiceschanged", fill);
  fill();
}
