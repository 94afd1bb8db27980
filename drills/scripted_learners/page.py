"""How a learner reaches the tutor over the page: in Chromium, by keyboard alone or with a finger on a phone."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import sleep
from typing import Any, Literal

from playwright.sync_api import Locator, Page, sync_playwright
from playwright.sync_api import TimeoutError as PageTimeoutError

from drills.regressions.visitor import Visitor
from drills.scripted_learners.surfaces import WAIT_S, WAITS

type Device = Literal["keyboard", "phone"]

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
TABS_AT_MOST = 150
TAPS_AT_MOST = 3
PATIENCE_MS = 20_000
SETTLES_MS = 1_000
PUT_IN_BOARD = """(field, answer) => {
    field.value = answer;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true })) }"""
TRY_AGAIN = "Try again"
ANSWER_FIELD = ".answer [name=answer]"
"""The line of a worked example has a field of the same name."""
PUT_IN_ORDER = """(all, letters) => all.forEach(one => {
    one.value = letters.indexOf(one.name.slice(-1)) + 1; one.dispatchEvent(new Event("change", { bubbles: true })) })"""


class Unreachable(Exception):
    """Something on the page cannot be reached as this learner works."""


def chromium() -> str | None:
    """Return the path of the browser; None where there is none."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, CHROMIUM)), None)


@contextmanager
def opened_page(url: str, browser_key: str, visitor: Visitor, *, device: Device) -> Iterator["PageSurface"]:
    """Open a browser that is signed in. `visitor` reads what came back, with a token of the same person."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        context = browser.new_context(**(PHONE if device == "phone" else DESK), base_url=url)
        context.add_cookies([{"name": "sessionid", "value": browser_key, "url": url}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        yield PageSurface(page, visitor, device=device)
        browser.close()


class PageSurface:
    def __init__(self, page: Page, visitor: Visitor, *, device: Device) -> None:
        self._page = page
        self._visitor = visitor
        self._device = device
        self._turn = ""
        """The id of the latest turn that was read."""
        self.lost_taps = 0
        """How many taps on a choice did not choose it."""

    def notes(self) -> str:
        return f"{self.lost_taps} lost taps" if self.lost_taps else ""

    def open_lesson(self, text: str, concept: str) -> Mapping[str, Any]:
        """Open the lesson from the course's page, with nothing typed."""
        self._page.goto("/learn/fractions/")
        self._press(self._page.locator(f"main a[href$='/{concept}/']").locator("visible=true").first)
        return self._read()

    def say(self, text: str) -> Mapping[str, Any]:
        box = self._page.locator("#message")
        for _ in range(TAPS_AT_MOST):
            # A late part of the page may take the focus, and the box closes again.
            if box.is_visible():
                break
            self._press(self._page.locator("[data-bar=ask]"))
        if self._device == "keyboard":
            self._tab_to(box)
            self._page.keyboard.type(text)
            self._page.keyboard.press("Enter")
        else:
            box.fill(text)
            self._page.locator("#send-button").tap()
        return self._read()

    def answer(self, text: str) -> Mapping[str, Any]:
        """Answer the open card; where the page shows none, as a message."""
        cards = self._page.locator(".question[data-state=open]")
        card = cards.locator("visible=true")
        if cards.count() and not card.count():
            # The result of the step before is still being read.
            self._press(self._page.locator("[data-bar=primary]"))
        if not card.count():
            return self.say(text)
        back = self._page.locator("[data-asides-do=back]").locator("visible=true")
        if back.count():
            # On a phone, what was asked last lies over the card.
            self._press(back)
        if self._primary_action() == TRY_AGAIN:
            # It clears the answer that was wrong.
            self._press(self._page.locator("[data-bar=primary]"))
        self._fill_in(card.last, text)
        self._check(card.last)
        return self._read()

    def _fill_in(self, card: Locator, answer: str) -> None:
        if card.locator("[data-manipulative]").count():
            # Boards by mouse, touch and keys are tried in the browser tests.
            card.locator("[data-answer]:enabled").evaluate(PUT_IN_BOARD, answer)
        elif card.locator(".choice").count():
            # A script's wording around a letter cannot be said on a choice: the letter that is named is chosen.
            offered = card.locator(".choice [value]").evaluate_all("all => all.map(one => one.value)")
            for letter in (each for each in re.findall(r"\b[A-Z]\b", answer) if each in offered):
                self._choose(card, letter)
        elif card.locator("[data-arrange]").count():
            card.locator("select").evaluate_all(PUT_IN_ORDER, answer.split())
        elif card.locator("select").count():
            for row, option in (pair.split("=") for pair in answer.split()):
                card.locator(f"[name=row-{row}]").select_option(option)
        elif self._device == "keyboard":
            self._tab_to(card.locator(ANSWER_FIELD))
            self._page.keyboard.press("Control+a")
            self._page.keyboard.type(answer)
        else:
            card.locator(ANSWER_FIELD).fill(answer)

    def _tap_until_checked(self, shown: Locator, choice: Locator) -> None:
        for _ in range(TAPS_AT_MOST):
            shown.tap()
            if choice.is_checked():
                return
            self.lost_taps += 1

    def _choose(self, card: Locator, letter: str) -> None:
        choice = card.locator(f"[value={letter}]")
        if self._device == "phone":
            self._tap_until_checked(card.locator(".choice", has=self._page.locator(f"[value={letter}]")), choice)
        elif choice.get_attribute("type") == "checkbox":
            self._tab_to(choice)
            self._page.keyboard.press("Space")
        else:
            self._tab_to_group(card)
            for _ in range(card.locator("[type=radio]").count()):
                if choice.is_checked():
                    return
                self._page.keyboard.press("ArrowDown")

    def _tab_to_group(self, card: Locator) -> None:
        """Reach the radio buttons, of which only one takes part in Tab, and choose it."""
        group = card.locator("fieldset.choices")
        self._tab_until("group => group.contains(document.activeElement)", group)
        self._page.keyboard.press("Space")

    def _check(self, card: Locator) -> None:
        own = card.locator("button[value=check]").locator("visible=true")
        self._press(own.first if own.count() else self._page.locator("[data-bar=primary]"))

    def _press(self, place: Locator) -> None:
        if self._device == "phone":
            place.tap()
        else:
            self._tab_to(place)
            self._page.keyboard.press("Enter")

    def _tab_to(self, place: Locator) -> None:
        self._tab_until("place => place === document.activeElement", place)

    def _tab_until(self, holds: str, place: Locator) -> None:
        """Press Tab until this holds. Raise Unreachable if it never does."""
        for _ in range(TABS_AT_MOST):
            if place.evaluate(holds):
                return
            self._page.keyboard.press("Tab")
        raise Unreachable(f"Tab never reaches {place}")

    def _read(self) -> Mapping[str, Any]:
        """Return the answer of the turn that has begun, once it has ended and the page shows it."""
        for _ in range(WAITS):
            turn = self._latest()
            if turn and turn["turn_id"] != self._turn and turn["status"] not in ("queued", "running"):
                self._turn = turn["turn_id"]
                self._page.locator("#composer[data-state=ready]").wait_for(state="attached")
                answer: dict[str, Any] = turn["answer"]
                return answer | {"page_action": self._primary_action()}
            sleep(WAIT_S)
        raise TimeoutError(f"no turn came of what was done on {self._page.url}")

    def _primary_action(self) -> str:
        """Return what the page's one primary button says; empty where there is none that can be pressed."""
        button = self._page.locator("[data-bar=primary]:enabled").locator("visible=true")
        if not button.count():
            return ""
        try:
            return button.inner_text(timeout=SETTLES_MS)
        except PageTimeoutError:
            # It was there for a moment only, while the page placed the reply.
            return ""

    def _latest(self) -> dict[str, Any] | None:
        """Return the latest turn of the conversation that the learner has used last."""
        sessions = self._visitor.get("/v2/sessions?limit=1").json()
        if not sessions:
            return None
        turns = self._visitor.get(f"/v2/sessions/{sessions[0]['session_id']}/turns?limit=1").json()["turns"]
        return self._visitor.get(f"/v2/turns/{turns[-1]['turn_id']}").json() if turns else None
