"""A teacher's class in the browser."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests import people
from tests.e2e.page_actions import goes_sideways, sign_in
from tests.e2e.test_pages import AXE, FAULTS
from tests.tutoring.class_helpers import make_class
from tests.tutoring.small_course import make_turn, numeric
from tutoring.mastery.records.progress import open_question, record_attempt
from tutoring.models import Concept

EVERY_MS = 10_000
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def teacher(url: str, ada: Any, context: BrowserContext) -> Any:
    """Grace, signed in, with Ada and Ben in her class."""
    grace = people.make_grace()
    make_class(grace, ada, people.make_ben(), conversations="everything")
    sign_in(context, grace, url)
    return grace


def answer(person: Any, template: str, text: str) -> None:
    concept = Concept.objects.select_related("course").get(slug="one-half")
    turn = make_turn(person)
    question = open_question(
        learner=person, session=turn.session, turn=turn, concept=concept, instance=numeric(template), purpose="quiz",
        number=1,
    )  # fmt: skip
    record_attempt(question, learner=person, answer=text, idempotency_key="k")


def test_board_fills_while_learners_work_and_leaves_the_reader_in_peace(
    page: Page, url: str, teacher: Any, ada: Any
) -> None:
    page.clock.install()
    page.goto(f"{url}/teach/4b/?sort=name")
    cells = page.locator("#heat-rows tr").first.locator("td")
    expect(cells.nth(1)).to_have_text("No answers yet")
    page.evaluate("window.unreloaded = true")
    link = page.get_by_role("link", name="Ada", exact=True)
    link.focus()
    for number in range(3):
        answer(ada, f"t{number}", "1/2")
    page.clock.fast_forward(EVERY_MS + 1000)
    expect(cells.nth(1)).to_contain_text("from 3 answers")
    expect(link).to_be_focused()
    assert page.evaluate("window.unreloaded")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_nothing_goes_sideways(
    page: Page, url: str, teacher: Any, ada: Any, scheme: Any
) -> None:
    for number, text in enumerate(["1/2", "2", "2", "1/2"]):
        answer(ada, f"t{number}", text)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(PHONE if scheme == "dark" else {"width": 1280, "height": 800})
    session = ada.conversations.get()
    own = f"/teach/4b/{ada.pk}/"
    for path in ("/teach/", "/teach/4b/", "/teach/4b/settings/", own, f"{own}fractions/one-half/",
                 f"{own}conversations/{session.pk}/", "/accounts/classes/"):  # fmt: skip
        page.goto(url + path)
        page.evaluate(AXE.read_text())
        assert page.evaluate(FAULTS) == [], path
        assert not goes_sideways(page), path
