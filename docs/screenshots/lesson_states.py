"""Plays three lessons in the browser, first step to mastery, and takes a picture of each state of a step on the way.

Run from the project's root: `.venv/bin/python docs/screenshots/lesson_states.py [--into FOLDER] [--swapped]`. A child who
errs plays in light, one who is right in dark (`--swapped`: the other way round), each on a desk and on a phone. Ends with
1 where a lesson does not reach mastery, axe finds something serious or critical, or a page is wider than its window.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from make import AXE, CHROMIUM, HERE, SIZES, Camera, served
from pages import PHONE
from playwright.sync_api import Browser, Page, sync_playwright

LESSONS = ("one-half", "compare-unit-fractions", "add-unlike")
STEPS_AT_MOST = 45
QUESTION = "why do you draw bars?"
WORDS = "it is a fair cut because a knife is a knife"


class Play:
    """One lesson of one child in one size and scheme."""

    def __init__(self, page: Page, camera: Camera, *, url: str, lesson: str, errs: bool, scheme: str) -> None:
        self.page, self.camera, self.url, self.lesson, self.errs, self.scheme = page, camera, url, lesson, errs, scheme

    def to_mastery(self) -> None:
        from tests.e2e.page_actions import begin_lesson

        begin_lesson(self.page, self.url, f"/learn/fractions/{self.lesson}/")
        self.take("open")
        for state in self.states() if self.errs else ():
            self.take(state)
        for _ in range(STEPS_AT_MOST):
            if "/mastered/" in self.page.url:
                break
            self.step_right()
        self.page.goto(f"{self.url}/learn/fractions/{self.lesson}/mastered/")
        self.take("mastered")
        self.page.goto(self.url)
        self.take("home-after")

    def states(self) -> Iterator[str]:
        """Reach the states of a step one by one, as a child who errs."""
        from tests.e2e.page_actions import fill_in

        page = self.page
        fill_in(self.card(), self.wrong())
        self.press("Check")
        yield "wrong"
        for name, state in (("I’m stuck", "hint"), ("I’m stuck", "worked")):
            # The second press brings the worked example, unless the wrong answer has brought it.
            if page.locator("#bar").get_by_role("button", name=name, exact=True).is_enabled():
                self.press(name)
                yield state
        self.ask(QUESTION)
        yield "beside"
        page.get_by_role("button", name="That answers my question").click()
        again = page.locator("#bar").get_by_role("button", name="Try again", exact=True)
        if again.is_visible():
            again.click()
        if self.card().locator("details.own-words").count():
            self.card().locator("details.own-words summary").click()
            self.card().get_by_role("textbox", name="In your own words").fill(WORDS)
            self.card().get_by_role("button", name="Say it").click()
            self.settle()
            yield "own-words"
        self.step_right(stays=True)
        yield "right"

    def step_right(self, *, stays: bool = False) -> None:
        """Answer the open card rightly, or press what the bar offers."""
        from tests.e2e.page_actions import fill_in, right_answer

        page = self.page
        if not self.card().count():
            primary = page.locator("#bar [data-bar=primary]")
            if page.locator("a[href*='/mastered/']").count():
                self.take("over")
                primary.click()
                page.wait_for_url("**/mastered/")
            else:
                primary.click()
                self.settle()
            return
        again = page.locator("#bar").get_by_role("button", name="Try again", exact=True)
        if again.is_visible():
            again.click()
        card = self.card()
        for ticked in card.locator(".choice :checked").all():
            if ticked.get_attribute("type") == "checkbox":
                ticked.uncheck()
        fill_in(card, right_answer(card))
        self.press("Check")
        if not stays:
            self.settle()

    def ask(self, text: str) -> None:
        """Send a message by its button: on a phone, Enter begins a new line."""
        from tests.e2e.page_actions import message_box, open_message_box

        open_message_box(self.page)
        message_box(self.page).fill(text)
        self.page.locator("#send-button").click()
        self.settle()

    def card(self) -> Any:
        return self.page.locator(".question[data-state=open]").locator("visible=true")

    def wrong(self) -> str:
        from tests.e2e.page_actions import question_on
        from tests.tutoring.lessons.learners import wrong

        return wrong(question_on(self.card()))

    def press(self, name: str) -> None:
        self.page.locator("#bar").get_by_role("button", name=name, exact=True).click()
        self.settle()

    def settle(self) -> None:
        from tests.e2e.page_actions import wait_until_said

        self.page.wait_for_timeout(300)
        wait_until_said(self.page)

    def take(self, state: str) -> None:
        page, name = self.page, f"step-{self.lesson}-{state}-{self.camera.size}-{self.scheme}"
        page.evaluate("for (const one of document.getAnimations()) one.cancel()")
        self.camera.judge(page, name)
        (self.camera.into / f"{name}.webp").write_bytes(self.camera.picture(page, ""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=HERE, help="folder for the pictures")
    parser.add_argument("--swapped", action="store_true", help="the child who errs plays in dark")
    wish = parser.parse_args()
    schemes = ("dark", "light") if wish.swapped else ("light", "dark")
    with tempfile.TemporaryDirectory() as data, served(data) as link, sync_playwright() as playwright:
        import django

        os.environ["DJANGO_SETTINGS_MODULE"] = "learnagent.settings"
        django.setup()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        url = "{0.scheme}://{0.netloc}".format(urlsplit(link))
        wrong = [fault for lesson in LESSONS for fault in played(browser, url, lesson, schemes, wish.into)]
        browser.close()
    print("\n".join(wrong) or "all lessons reach mastery, axe finds nothing serious, and no page goes sideways")
    return 1 if wrong else 0


def played(browser: Browser, url: str, lesson: str, schemes: Sequence[str], into: Path) -> Iterator[str]:
    """Play a lesson as four children, of whom those in the first scheme err; yield what is wrong."""
    from learnagent.accounts.models import Person
    from tests.e2e.page_actions import sign_in
    from tutoring.models import Mastery

    for size, (width, height) in SIZES.items():
        for errs, scheme in zip((True, False), schemes, strict=True):
            name = f"{lesson}-{size}-{scheme}"
            child = Person(username=name, display_name="Mia" if errs else "Tom")
            child.set_consent(True)
            child.save()
            context = browser.new_context(
                viewport={"width": width, "height": height},
                is_mobile=size == PHONE,
                has_touch=size == PHONE,
                reduced_motion="reduce",
                color_scheme=scheme,  # type: ignore[arg-type]
                service_workers="block",
            )
            sign_in(context, child, url)
            context.add_init_script(path=AXE)
            camera = Camera(browser, url, size=size, into=into, ending="webp")
            Play(context.new_page(), camera, url=url, lesson=lesson, errs=errs, scheme=scheme).to_mastery()
            context.close()
            yield from camera.wrong
            if not Mastery.objects.filter(learner=child, concept__slug=lesson, mastered_at__isnull=False).exists():
                yield f"{name}: is not mastered"


if __name__ == "__main__":
    sys.exit(main())
