// Reads replies aloud as they arrive, sentence by sentence, and marks the current one. A press, a key or any input by
// the user, typed or spoken, stops it. It waits while the microphone is on.
import { sentences } from "./voice_text.js";

const LATE_MS = 10_000; // A browser may not report the end of a sentence; after this time the next one starts.
const LETTER_MS = 150;
const synthesis = window.speechSynthesis;

/** Returns the voices for this page's language as [settings name, label], the default first: a local one, since
 *  others send the text to their maker. `server` is the server's voice. */
export function voices(words) {
  const language = document.documentElement.lang.slice(0, 2);
  const own = (synthesis?.getVoices() ?? []).filter((each) => each.lang.toLowerCase().startsWith(language));
  own.sort((one, other) => other.localService - one.localService || other.default - one.default);
  const found = own.map((each) => [each.voiceURI, each.localService ? each.name : words.remote.replace("{name}", each.name)]);
  if (words.said) found.push(["server", words.server]);
  if (synthesis && !found.length) found.push(["", words.usual]);
  return found;
}

/** Wires the reader. `settings` are read for every sentence; `tell(line, isTrouble)` shows a line. */
export function speak({ settings, words, tell, token }) {
  const thread = document.getElementById("thread");
  const silence = document.getElementById("hush");
  // By number: what is asked beside a step stands apart.
  const newest = () => [...document.querySelectorAll(".turn")].sort((one, other) => one.dataset.number - other.dataset.number).at(-1)?.id;
  let reading = newest(); // Text already on the page is not read, unless its reply is still running.
  let isHushed;
  let read = 0; // How many letters and digits of the reply were read or queued.
  let waiting = [];
  let current = null;
  let isListening = false;
  let context;

  const chosen = () => {
    const found = voices(words).map(([value]) => value);
    return found.includes(settings.voice) ? settings.voice : found[0];
  };
  const reply = () => document.getElementById(reading)?.querySelector(".say");
  // The reply, and the steps that it opened and that can be seen.
  const told = () => [reply(), ...thread.querySelectorAll(`#opens-${reading?.slice("turn-".length)} > .step:not([hidden]) > .slot`)];
  const begin = () => (isHushed = reply()?.getAttribute("aria-busy") !== "true");
  const middle = ({ start, end }) => (start + end) / 2;

  function mark() {
    const found = current && reply() && sentences(...told()).find((each) => current.start <= middle(each) && middle(each) < current.end);
    if (!window.Highlight || !CSS.highlights) return;
    found ? CSS.highlights.set("spoken", new Highlight(found.range)) : CSS.highlights.delete("spoken");
  }
  function settle() {
    current = null;
    mark();
    silence.hidden = true;
  }
  function stop() {
    isHushed = true;
    waiting = [];
    if (!current) return;
    current.end_();
    synthesis?.cancel();
    settle();
  }

  function byBrowser(item) {
    return new Promise((resolve) => {
      const utterance = new SpeechSynthesisUtterance(item.text);
      const voice = synthesis.getVoices().find((each) => each.voiceURI === chosen());
      if (voice) utterance.voice = voice;
      utterance.lang = voice?.lang ?? document.documentElement.lang;
      utterance.rate = settings.rate;
      const late = setTimeout(resolve, LATE_MS + (item.text.length * LETTER_MS) / settings.rate);
      item.end_ = resolve;
      utterance.onend = () => (clearTimeout(late), resolve());
      utterance.onerror = ({ error }) => {
        clearTimeout(late);
        if (error === "not-allowed" && item === current) tell(words.press, true);
        resolve();
      };
      synthesis.speak(utterance);
    });
  }
  function fetched(item) {
    item.sound ??= (async () => {
      const fields = new URLSearchParams({ text: item.text, speed: settings.rate });
      const answer = await fetch(words.said, { method: "POST", body: fields, headers: { "X-CSRFToken": token } });
      if (!answer.ok) {
        item.fault = (await answer.json().catch(() => null))?.error?.message;
        throw new Error("unread");
      }
      return answer.arrayBuffer();
    })();
    item.sound.catch(() => {});
    return item.sound;
  }
  async function byServer(item) {
    let source;
    const ended = new Promise((resolve) => (item.end_ = () => (source?.stop(), resolve())));
    try {
      const data = await fetched(item);
      context ??= new AudioContext();
      if (context.state === "suspended") context.resume();
      const buffer = await context.decodeAudioData(data.slice(0));
      if (item !== current) return;
      if (waiting.length) fetched(waiting[0]);
      source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      source.onended = item.end_;
      source.start();
      await ended;
    } catch {
      if (item !== current) return;
      stop();
      tell(item.fault ?? words.unread, true);
    }
  }
  async function next() {
    if (current || isListening || !waiting.length) return;
    const item = (current = waiting.shift());
    silence.hidden = false;
    mark();
    await (chosen() === "server" ? byServer(item) : byBrowser(item));
    if (item !== current) return;
    current = null;
    waiting.length ? next() : settle();
  }

  function follow() {
    const latest = newest();
    if (latest !== reading) {
      stop();
      [reading, read, isHushed] = [latest, 0, false];
    }
    if (!settings.speak || isHushed || !reply()) return;
    for (const each of sentences(...told())) {
      if (middle(each) < read) continue;
      waiting.push({ text: each.text, start: each.start, end: each.end, end_: () => {} });
      read = each.end;
    }
    mark();
    next();
  }

  document.addEventListener("htmx:wsAfterMessage", follow);
  document.addEventListener("learnagent:step", follow);
  document.addEventListener("learnagent:sent", stop);
  document.addEventListener("learnagent:listening", ({ detail }) => {
    isListening = detail;
    if (isListening) stop();
  });
  document.getElementById("message").addEventListener("input", stop);
  document.addEventListener("keydown", (event) => event.key === "Escape" && current && stop());
  silence.addEventListener("click", () => (stop(), document.getElementById("message")?.focus()));
  addEventListener("pagehide", stop);
  begin();
  return {
    stop,
    /** Starts reading; a reply that is on the page already is not read. */
    begin,
    /** Reads a line now, to try a voice. */
    say(text) {
      stop();
      waiting = [{ text, start: 0, end: 0, end_: () => {} }];
      next();
    },
  };
}
