"""A teacher writes a course in the browser from nothing and publishes it, and a learner masters it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import people
from tests.e2e.page_actions import (
    check,
    fill_in,
    go_on,
    goes_sideways,
    open_card,
    reach_question,
    right_answer,
    say,
    sign_in,
    turns,
    wait_until_said,
)
from tests.e2e.test_pages import AXE, DARK_FAULTS, FAULTS
from tests.tutoring.class_helpers import make_class
from tutoring.models import AuthoredCourse, Course, Mastery

PHONE = {"width": 390, "height": 844}
QUESTIONS = 12
"""More than a learner needs who always answers right."""


@pytest.fixture
def teacher(url: str, ada: Any, context: BrowserContext, settings: Any, tmp_path: Path) -> Any:
    """Grace, signed in, with Ada in her class."""
    settings.DATA_DIR = tmp_path
    grace = people.make_grace()
    make_class(grace, ada)
    sign_in(context, grace, url)
    return grace


@pytest.fixture
def learners_page(browser: Browser, browser_context_args: dict[str, Any], url: str, ada: Any) -> Any:
    context = browser.new_context(**browser_context_args)
    sign_in(context, ada, url)
    yield context.new_page()
    context.close()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("Saved.")


def add(page: Page, label: str, value: str, button: str) -> None:
    """Add something to a list, by its name or kind."""
    field = page.get_by_label(label)
    if field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(label=value)
    else:
        field.fill(value)
    page.get_by_role("button", name=button).click()


def add_exercise(page: Page, topic: str, kind: str, question: str) -> None:
    page.goto(topic)
    add(page, "New exercise", kind, "Add exercise")
    page.get_by_label("Question", exact=True).first.fill(question)


def write_topic(page: Page, topic: str, *, factor: int) -> None:
    """Write a topic with a lesson and three exercises on its page."""
    page.get_by_label("Summary").fill(f"A number times {factor}.")
    save(page)
    add(page, "New part", "Explanation for beginners", "Add part")
    page.get_by_label("Text", exact=True).fill(f"With {factor} bags of 3 apples, there are **{3 * factor}** apples.")
    page.get_by_label("Question", exact=True).fill(f"How many are there with {factor} bags of 4 apples?")
    expect(page.locator("#preview strong")).to_have_text(str(3 * factor))
    save(page)

    add_exercise(page, topic, "A number", f"What is {factor} times {{n}}?")
    page.locator("summary", has_text="Changing values").click()
    page.get_by_label("Values", exact=True).fill("n = int(3, 20)")
    page.get_by_label("Right number").fill(f"{factor}*n")
    page.get_by_label("How to solve it").fill(f"{factor} * {{n}} = {{{factor}*n}}")
    expect(page.locator("#preview .example-exercise")).to_have_count(3)
    save(page)

    add_exercise(page, topic, "One right option", f"Which number is {factor} times another whole number?")
    for letter, number in zip("ABC", (6 * factor, 6 * factor + 1, 12 * factor + 1), strict=True):
        page.get_by_label(f"Option {letter}").fill(str(number))
    page.get_by_label("How to solve it").fill(f"{factor} times 6.")
    expect(page.locator("#faults-answer")).to_have_text("Mark the right option.")
    page.get_by_label("A is right").check()
    expect(page.locator("#preview .is-right")).to_contain_text(str(6 * factor))
    save(page)

    add_exercise(page, topic, "Own words", f"What do you do to get {factor} times a number?")
    page.get_by_label("Words of a right answer").fill("multiply / times")
    page.get_by_label("Example of a right answer").fill("multiply it")
    page.get_by_label("How to solve it").fill("Take the number several times.")
    expect(page.locator("#preview .example-exercise")).to_have_count(1)
    save(page)


def test_a_press_on_save_is_not_lost_to_a_new_preview(page: Page, url: str, teacher: Any) -> None:
    page.goto(f"{url}/teach/courses/")
    page.get_by_role("link", name="New course").click()
    page.get_by_label("Title").fill("Times")
    page.get_by_label("Summary").fill("Doubling.")
    page.get_by_role("button", name="Create the course").click()
    add(page, "New topic", "Doubling", "Add topic")
    add_exercise(page, page.url, "One right option", "Which number is 2 times another whole number?")
    page.get_by_label("Option A").fill("12")
    page.get_by_label("Option B").fill("13")
    page.get_by_label("A is right").check()
    page.get_by_label("How to solve it").fill("")
    expect(page.locator("#faults-solution li")).to_have_count(1)

    page.get_by_label("How to solve it").fill("2 times 6.")
    place = page.get_by_role("button", name="Save", exact=True).bounding_box()
    assert place
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    with page.expect_response(lambda response: response.request.method == "POST") as preview:
        page.mouse.down()
    preview.value.finished()
    page.mouse.up()
    expect(page.locator(".messages")).to_contain_text("Saved.")


def test_a_course_is_written_published_and_mastered(page: Page, url: str, teacher: Any, learners_page: Page) -> None:
    page.goto(f"{url}/teach/courses/")
    page.get_by_role("link", name="New course").click()
    page.get_by_label("Title").fill("Times")
    page.get_by_label("Summary").fill("Doubling, and then tripling.")
    page.get_by_role("button", name="Create the course").click()
    course = page.url
    expect(page.locator("#to-do")).to_contain_text("Add at least one topic.")

    for title, factor in (("Doubling", 2), ("Tripling", 3)):
        page.goto(course)
        add(page, "New topic", title, "Add topic")
        if factor == 3:
            page.get_by_label("Doubling").check()
        write_topic(page, page.url, factor=factor)

    page.goto(course)
    expect(page.locator("#to-do")).to_contain_text("Nothing is missing.")
    expect(page.locator(".map-drawing .node")).to_have_count(2)
    page.get_by_role("button", name="Publish").click()
    expect(page.locator(".messages")).to_contain_text("The course is published.")

    for concept in ("doubling", "tripling"):
        learn(learners_page, f"{url}/learn/times/{concept}/")
        assert Mastery.objects.get(concept__slug=concept).is_mastered


def learn(page: Page, address: str) -> None:
    """Take the lesson of a topic, answering every question right, until it is mastered."""
    page.goto(address)
    expect(turns(page)).to_have_count(1)
    wait_until_said(page)
    say(page, "there are eight")
    if not open_card(page).count():
        go_on(page)
    if not open_card(page).count():
        reach_question(page)
    for _question in range(QUESTIONS):
        if not open_card(page).count():
            break
        card = open_card(page)
        fill_in(card, right_answer(card))
        check(page, card)


def test_pages_fit_and_can_be_read(page: Page, url: str, teacher: Any) -> None:
    page.goto(f"{url}/teach/courses/write/")
    page.get_by_label("Title").fill("Times")
    page.get_by_label("Summary").fill("Doubling.")
    page.get_by_role("button", name="Create the course").click()
    course = page.url
    add(page, "New topic", "Doubling", "Add topic")
    topic = page.url
    add(page, "New exercise", "One right option", "Add exercise")
    exercise = page.url
    page.goto(topic)
    add(page, "New part", "Worked example", "Add part")
    piece = page.url
    page.goto(topic)
    add(page, "A wrong idea", "Any number is even", "Add misconception")
    idea = page.url
    more = (f"{course}{rest}" for rest in ("about/", "files/", "files/graph.yaml/", "versions/", "versions/2/"))

    for address in (course, topic, exercise, piece, idea, *more):
        page.goto(address)
        page.evaluate(AXE.read_text())
        assert page.evaluate(FAULTS) == [], address
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(DARK_FAULTS) == [], address
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(PHONE)
        assert not goes_sideways(page), address
        page.set_viewport_size({"width": 1280, "height": 860})
    assert AuthoredCourse.objects.get().revision == 5
    assert not Course.objects.filter(ownership__owner=teacher).exists()
