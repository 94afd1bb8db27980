"""Fractions on a card: drawn with their numbers above each other, read and copied as text."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.page_actions import begin_lesson, open_card

COPIED = """card => {
    getSelection().selectAllChildren(card.querySelector(".stem"));
    return getSelection().toString().trim();
}"""


def test_fraction_is_stacked_and_copied_as_text(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url, "/learn/fractions/compare-unit-fractions/")
    card = open_card(page)
    box = card.locator(".stem .frac").first.bounding_box()
    assert box is not None
    assert box["height"] > box["width"]
    assert card.evaluate(COPIED) == "Which is more pizza, 1/4 or 1/8?"
    expect(card.locator(".stem")).to_have_text("Which is more pizza, 1/4 or 1/8?")
