"""Speaking and listening, by stand-ins for what a browser has of its own: this one has neither ear nor voice."""

from typing import Any

from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from conversations.cards import cards_html, cards_text
from conversations.search.citations import Citation
from tests.e2e.page_actions import (
    begin_lesson,
    fill_in,
    go_on,
    message_box,
    open_card,
    press,
    right_answer,
    turns,
    wait_until_said,
)

STAND_INS = """
window.read = [];
window.SpeechRecognition = class {
  start() { window.ear = this; }
  stop() { this.onend(); }
  abort() { this.onend(); }
};
window.hear = (...words) => ear.onresult({ results: words.map((transcript) => [{ transcript }]) });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ name: "Ann", voiceURI: "ann", lang: "en-GB", localService: true }],
  speak(said) { window.mouth = said; read.push({ text: said.text, rate: said.rate, voice: said.voice.name, marked: String([...CSS.highlights.get("spoken")][0]) }); },
  cancel() { window.mouth = null; },
} });
"""
READ_ON = "() => { const said = window.mouth; window.mouth = null; said?.onend(); return read.length }"
READ_UP_TO = f"beginning => {{ ({READ_ON})(); return read.some(({{ text }}) => beginning.startsWith(text)) }}"
STEP = {"title": "Equal parts", "kind": "learn", "is_goal": True, "is_next": True, "ready": True, "least": 3, "most": 5}
STEP |= {"reason": "it is your goal", "url": "/", "concept": "equal"}
CITED = Citation(number=1, quote="Two equal parts.\nThree is 3/4 of 4.", title="Halves", where="page 2", url="/")
OPTIONS = [{"letter": "A", "label": "a pair"}, {"letter": "B", "label": "another"}]
MATCHED = {"id": "9", "options": OPTIONS, "rows": [{"letter": "A", "html": "A row", "label": "A row"}]}
IDEA = "these two pieces are halves"
REPLY = """<div class="say"><div class="prose"><p>Look: <math><mrow><mfrac><mn>3</mn><mn>4</mn></mfrac><mo>&gt;</mo><mn>0.5</mn></mrow></math>!
  Yes.</p><ul><li>1/2</li><li>two <em>thirds</em></li></ul><pre>x</pre></div></div>"""
SPOKEN = {
    "3/4 of it": "3 quarters of it",
    "1/2 + 1 2/3 = ?": "1 half plus 1 and 2 thirds equals ?",
    "5/17 < 9": "5 over 17 is less than 9",
    r"\(\frac{1}{8}\) × **2**": "1 eighth times 2",
    "7 − 3, on 3/4/2026": "7 minus 3, on 3/4/2026",
    "fill in ___ , 50 %": "fill in blank , 50 percent",
    "-3/4 of 1½": "minus 3 quarters of 1 and 1 half",
    "x² + y^3 ≈ 2π": "x squared plus y to the power of 3 is about 2pi",
    "√16 and -x, a well-known 90°": "the square root of 16 and minus x, a well-known 90 degrees",
}


def test_spoken_turn_ends_in_a_spoken_captioned_reply_that_can_be_interrupted(
    page: Page, url: str, learner: Any
) -> None:
    page.add_init_script(STAND_INS)
    begin_lesson(page, url)
    talk, line, hush = page.locator("#talk-button"), page.locator("#speech-line"), page.locator("#hush")
    talk.click()
    expect(talk).to_have_attribute("aria-pressed", "true")
    page.evaluate("ear.onerror({ error: 'not-allowed' }); ear.onend()")
    expect(line).to_contain_text("The microphone is blocked")
    expect(talk).to_have_attribute("aria-pressed", "false")

    message_box(page).focus()
    page.get_by_role("button", name="Speaking and listening").click()
    page.get_by_role("switch", name="Read replies aloud").check()
    page.locator("#voice-rate").fill("1.4")
    page.keyboard.press("Escape")
    talk.press("Enter")
    expect(talk).to_have_attribute("aria-pressed", "true")
    page.evaluate("hear('these two')")
    expect(message_box(page)).to_have_value("these two")
    page.evaluate("hear('these two', 'pieces are halves')")
    talk.press("Enter")
    expect(turns(page)).to_have_count(2)
    expect(page.locator(".said").last).to_have_text(IDEA)
    wait_until_said(page)
    expect(hush).to_be_visible()
    page.evaluate(READ_ON)
    reply = page.locator(".say").last.inner_text()
    for each in page.evaluate("read"):
        assert (each["rate"], each["voice"]) == (1.4, "Ann")
        assert each["text"] == each["marked"]
        assert each["text"] in reply
    assert page.evaluate("read.length") == 2

    talk.click()
    expect(talk).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("[window.mouth, CSS.highlights.size]") == [None, 0]
    page.evaluate("hear('no wait')")
    page.keyboard.press("Escape")
    expect(message_box(page)).to_have_value("no wait")
    expect(hush).to_be_hidden()
    assert page.evaluate(READ_ON) == 2
    expect(turns(page)).to_have_count(2)

    module = 'import("/static/js/voice_text.js")'
    assert page.evaluate(f"texts => {module}.then(it => texts.map(it.spoken))", [*SPOKEN]) == [*SPOKEN.values()]
    read = f"""html => {module}.then(it => {{
      const reply = new DOMParser().parseFromString(html, "text/html").querySelector(".say");
      return it.sentences(document.adoptNode(reply)).map(each => each.text);
    }})"""
    assert page.evaluate(read, REPLY) == ["Look: 3 quarters is greater than 0.5!", "Yes.", "1 half", "two thirds"]

    # What a server sends is no sound: the line is for readers, and none of the browser's own words.
    page.route("**/said", lambda route: route.fulfill(body="no sound"))
    page.evaluate(
        """import("/static/js/voice_speak.js").then(it => it.speak({
          settings: { voice: "server", rate: 1 }, words: { ...document.getElementById("speech").dataset, said: "/said" },
          tell: (words) => (document.getElementById("speech-line").textContent = words), token: "",
        }).say("One half."))"""
    )
    expect(line).to_have_text("This could not be read aloud. You can read it on the page.")


def test_step_is_read_aloud_when_it_is_shown(page: Page, url: str, learner: Any) -> None:
    page.add_init_script(STAND_INS)
    begin_lesson(page, url)
    message_box(page).focus()
    page.get_by_role("button", name="Speaking and listening").click()
    page.get_by_role("switch", name="Read replies aloud").check()
    page.keyboard.press("Escape")
    card = page.locator(f"#{open_card(page).get_attribute('id')}")
    fill_in(card, right_answer(card))
    press(page, card, "Check")
    expect(page.locator("#bar").get_by_role("button", name="Next", exact=True)).to_be_visible()
    go_on(page)
    beginning = open_card(page).locator(".prose > p").first.inner_text()
    page.wait_for_function(READ_UP_TO, arg=beginning)


def test_every_card_is_read_aloud_as_it_is_told_in_words(page: Page, url: str, learner: Any) -> None:
    cards = [
        {"kind": "concept", "id": "1", "title": "One half", "summary": "One of two.", "url": "/"},
        {"kind": "replies", "id": "2", "options": ["Let’s continue"]},
        {"kind": "path", "id": "3", "course": "c", "map_url": "/", "goals": [], "known": ["Counting"], "steps": [STEP]},
    ]
    html = "".join(cards_html(cards, learner).values())
    html += render_to_string("conversations/sources.html", {"citations": [CITED]})
    html += render_to_string("tutoring/question.html#match", {"question": MATCHED})
    page.goto(url + "/v2/docs")
    read = page.evaluate(
        """html => import("/static/js/voice_text.js").then(it => {
          const reply = new DOMParser().parseFromString(`<div class="say">${html}</div>`, "text/html").querySelector(".say");
          return it.sentences(document.adoptNode(reply)).map(each => each.text);
        })""",
        html,
    )
    assert {"One half", "One of two.", "Let’s continue", "Mastered: Counting"} <= {*read}
    assert {"Two equal parts.", "Three is 3 quarters of 4.", "Halves, page 2", "A row", "a pair, another"} <= {*read}
    assert any(each.startswith("Equal parts") for each in read)
    words = " ".join(cards_text(cards, learner).values())
    assert all(each in words for each in ("One half", "One of two.", "Let’s continue", "Counting", "Equal parts"))
