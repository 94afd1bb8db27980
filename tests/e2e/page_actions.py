"""What a learner does in a browser, as functions of a page."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Locator, Page, Request, expect

from learnagent.accounts.authentication.sessions import SessionStore
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.models import Question

LESSON = "/learn/fractions/one-half/"


EXPECTED = (
    # An answer that cannot be read comes back as 422, which a browser logs and a page shows.
    "status of 422",
    # Leaving a page ends its requests. htmx logs that, and a request that fails is also logged as htmx:sendError.
    "htmx:sendAbort",
    "htmx:afterRequest",
)


@dataclass
class Complaints:
    """What a browser had to say against our pages."""

    host: str
    heard: list[str] = field(default_factory=list)

    def listen(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda error: self.heard.append(str(error.error)))
        context.on("dialog", self._dialog)
        context.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(each in message.text for each in EXPECTED):
            self.heard.append(message.text)

    def _dialog(self, dialog: Dialog) -> None:
        self.heard.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        to = urlsplit(request.url)
        if to.scheme not in ("data", "blob", "about") and to.netloc != self.host:
            self.heard.append(f"request to {request.url}")


def sign_in(context: BrowserContext, person: Any, url: str) -> None:
    """Give the browser a session of the person's."""
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": str(session.session_key), "url": url}])


def begin_lesson(page: Page, url: str, path: str = LESSON) -> None:
    page.goto(url + path)
    expect(turns(page)).to_have_count(1)
    wait_until_said(page)


def turns(page: Page) -> Locator:
    return page.locator(".turn")


def message_box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message")


def open_message_box(page: Page) -> None:
    """Press Ask, where the box opens with it."""
    ask = page.get_by_role("button", name="Ask", exact=True)
    if ask.is_visible() and ask.get_attribute("aria-expanded") == "false":
        ask.click()


def open_how_it_works(page: Page) -> None:
    """Open the part of the panel with the team, what was noticed, and the cost."""
    page.locator("#rail .more > summary", has_text="How it works").click()


def wait_for_scripts(page: Page) -> None:
    """Wait until the page's scripts have run: before, Enter makes a new line. After a form, nothing else waits."""
    page.wait_for_load_state("domcontentloaded")


def wait_until_said(page: Page) -> None:
    wait_for_scripts(page)
    expect(page.locator("#composer")).to_have_attribute("data-state", "ready")
    expect(page.locator(".say[aria-busy]")).to_have_count(0)


def say(page: Page, text: str) -> None:
    """Send a message and wait until it was answered. Turns of answers on a card may still be on their way."""
    wait_for_scripts(page)
    messages = page.locator(".turn[data-kind=message]")
    count = messages.count()
    open_message_box(page)
    message_box(page).fill(text)
    message_box(page).press("Enter")
    expect(messages).to_have_count(count + 1)
    wait_until_said(page)


def open_asides(page: Page) -> None:
    """Show all questions asked beside the step, with their buttons."""
    for name in ("Earlier questions", "Copy, edit or rate"):
        button = page.get_by_role("button", name=name)
        if button.count() and button.get_attribute("aria-expanded") == "false":
            button.click()


def open_card(page: Page) -> Locator:
    return page.locator(".question[data-state=open]")


def reach_question(page: Page) -> Locator:
    """Go from the explanation to the first question."""
    say(page, "quiz me")
    expect(open_card(page)).to_have_count(1)
    return open_card(page)


def question_on(card: Locator) -> Question:
    """Return the row behind a card."""
    return Question.objects.get(pk=(card.get_attribute("id") or "").removeprefix("question-"))


def right_answer(card: Locator) -> str:
    return right_answers(question_on(card).instance())[0]


def fill_in(card: Locator, answer: str) -> None:
    """Put an answer on a card, whichever kind it is."""
    if card.locator("[data-manipulative]").count():
        held = card.locator("[data-answer]:enabled")
        held.evaluate(
            "(field, answer) => { field.value = answer; field.dispatchEvent(new Event('input', {bubbles: true})) }",
            answer,
        )
    elif card.locator(".choice").count():
        for letter in answer.replace(",", " ").split():
            card.locator(f"[value={letter}]").check()
    elif card.locator("[data-arrange]").count():
        card.locator("select").evaluate_all(
            "(all, letters) => all.forEach(one => { one.value = letters.indexOf(one.name.slice(-1)) + 1 })",
            answer.split(),
        )
    elif card.locator("select").count():
        for row, option in (pair.split("=") for pair in answer.split()):
            card.locator(f"[name=row-{row}]").select_option(option)
    else:
        card.locator(".answer [name=answer]").fill(answer)


def check(page: Page, card: Locator) -> None:
    """Press Check and wait until the team has taken the answer up; go on where the next step waits."""
    press_and_wait(page, card, "Check")
    go_on(page)


def press_and_wait(page: Page, card: Locator, name: str) -> None:
    """Press a button that answers a card, and wait until the team has taken the answer up."""
    count = turns(page).count()
    with page.expect_response(lambda response: "/answers/" in response.url) as response:
        press(page, card, name)
    assert response.value.status in (200, 302), response.value.text()
    expect(turns(page)).to_have_count(count + 1)
    wait_until_said(page)


def press(page: Page, card: Locator, name: str) -> None:
    """Press a button of a card: in the bar of a conversation, on the card elsewhere."""
    bar = page.locator("#bar")
    at = bar if bar.count() and bar.is_visible() else card
    at.get_by_role("button", name=name, exact=True).click()


def go_on(page: Page) -> None:
    """Press Next, if the next step waits for it."""
    following = page.locator("#bar").get_by_role("button", name="Next", exact=True)
    if following.count() and following.is_visible():
        following.click()


def goes_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
