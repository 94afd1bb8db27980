"""Assignments in the browser: given by a teacher, done by a pupil, and a quiz taken together in two browsers."""

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import people
from tests.e2e.page_actions import goes_sideways, sign_in
from tests.e2e.test_pages import AXE, FAULTS
from tests.tutoring.class_helpers import make_class
from tutoring.models import Assignment

POLL_MS = 2_500
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def teacher(url: str, ada: Any, context: BrowserContext) -> Any:
    """Grace, signed in, with Ada and Ben in her class."""
    grace = people.make_grace()
    make_class(grace, ada, people.make_ben())
    sign_in(context, grace, url)
    return grace


@pytest.fixture
def pupils_page(browser: Browser, browser_context_args: dict[str, Any], url: str, ada: Any) -> Any:
    """Ada's page, in a browser of her own."""
    context = browser.new_context(**browser_context_args)
    sign_in(context, ada, url)
    yield context.new_page()
    context.close()


def give_quiz(page: Page, url: str, *, live: bool = False) -> Assignment:
    """Fill in the form for a quiz of two questions on one half, for the whole class."""
    page.goto(f"{url}/teach/4b/assignments/new/")
    page.get_by_label("Quiz", exact=True).check()
    page.get_by_label("One half", exact=True).check()
    page.get_by_label("Number of questions").fill("2")
    if live:
        page.get_by_label("Take the quiz together").check()
    page.get_by_role("button", name="Assign").click()
    expect(page.get_by_role("status").or_(page.locator(".messages")).first).to_be_visible()
    return Assignment.objects.get()


def give_up(page: Page) -> None:
    page.get_by_role("button", name="I don’t know").click()


def test_teacher_gives_a_quiz_and_the_board_fills(page: Page, url: str, teacher: Any, pupils_page: Page) -> None:
    page.goto(f"{url}/teach/4b/assignments/new/")
    expect(page.get_by_label("Number of answers")).to_be_visible()
    page.get_by_label("Quiz", exact=True).check()
    expect(page.get_by_label("Number of answers")).to_be_hidden()
    page.get_by_label("Single pupils").check()
    page.locator(".for-people").get_by_label("Ben").check()
    expect(page.get_by_text("1 pupil gets it: Ben.")).to_be_visible()
    quiz = give_quiz(page, url)
    pupils_page.goto(url)
    pupils_page.get_by_role("link", name="Open One half: 2 questions").click()
    pupils_page.get_by_role("button", name="Start").click()
    expect(pupils_page.get_by_role("heading", name="Question 1 of 2")).to_be_visible()
    give_up(pupils_page)
    expect(pupils_page.get_by_role("heading", name="Question 2 of 2")).to_be_visible()
    give_up(pupils_page)
    expect(pupils_page.get_by_role("heading", name="0 of 2 right")).to_be_visible()
    page.goto(url + quiz.teacher_url)
    expect(page.get_by_text("1 of 2 done")).to_be_visible()


def test_quiz_taken_together_in_two_browsers(page: Page, url: str, teacher: Any, pupils_page: Page, ada: Any) -> None:
    for each in (page, pupils_page):
        each.clock.install()
    quiz = give_quiz(page, url, live=True)
    page.goto(f"{url}{quiz.teacher_url}live/")
    page.get_by_role("button", name="Let pupils join").click()
    pupils_page.goto(url)
    pupils_page.get_by_role("button", name="Join").click()
    expect(pupils_page.get_by_text("You have joined")).to_be_visible()
    page.clock.fast_forward(POLL_MS)
    expect(page.get_by_text("1 of 2 joined")).to_be_visible()
    page.get_by_role("button", name="Ask question 1").click()
    expect(page.get_by_text("0 of 1 answered")).to_be_visible()
    pupils_page.clock.fast_forward(POLL_MS)
    give_up(pupils_page)
    expect(pupils_page.get_by_text("Your answer is in")).to_be_visible()
    page.clock.fast_forward(POLL_MS)
    expect(page.get_by_text("1 of 1 answered")).to_be_visible()
    page.get_by_role("button", name="Close the question").click()
    expect(page.get_by_text("Right answer:")).to_be_visible()
    pupils_page.clock.fast_forward(POLL_MS)
    expect(pupils_page.get_by_text("That’s okay. Here is one way to do it.")).to_be_visible()
    page.get_by_role("button", name="End the quiz now").click()
    pupils_page.clock.fast_forward(POLL_MS)
    expect(pupils_page.get_by_role("heading", name="0 of 2 right")).to_be_visible()


def test_axe_finds_nothing_serious_and_nothing_goes_sideways(
    page: Page, url: str, teacher: Any, pupils_page: Page, ada: Any
) -> None:
    quiz = give_quiz(page, url)
    pupils_page.goto(f"{url}/assignments/{quiz.pk}/")
    pupils_page.get_by_role("button", name="Start").click()
    expect(pupils_page.get_by_role("heading", name="Question 1 of 2")).to_be_visible()
    own = quiz.teacher_url
    topic = quiz.concepts.get().pk
    for who, path in (
        (page, "/teach/4b/assignments/"),
        (page, "/teach/4b/assignments/new/"),
        (page, own),
        (page, f"/teach/4b/paper/?topic={topic}&questions=8&seed=3&version=A"),
        (page, "/"),
        (pupils_page, "/"),
        (pupils_page, f"/assignments/{quiz.pk}/"),
        (pupils_page, f"/assignments/{quiz.pk}/questions/1/"),
    ):
        who.goto(url + path)
        who.evaluate(AXE.read_text())
        for scheme, size in (("light", {"width": 1280, "height": 800}), ("dark", PHONE)):
            who.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            who.set_viewport_size(size)  # type: ignore[arg-type]
            assert who.evaluate(FAULTS) == [], (path, scheme)
            assert not goes_sideways(who), (path, scheme)
