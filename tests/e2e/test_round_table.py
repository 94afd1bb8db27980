"""A table of three voices and two rounds in the browser, without a model; then one more round."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.page_actions import goes_sideways
from tests.e2e.test_pages import AXE, DARK_FAULTS, FAULTS, faults_of

QUESTION = "Was the invention of the fraction more useful than zero? Discuss."


@pytest.fixture
def started(page: Page, context: BrowserContext, url: str, articles: None, learner: Any) -> Page:
    context.add_init_script(path=AXE)
    page.goto(f"{url}/round-table/")
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Choose voices that fit my question").click()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(3)
    expect(page.get_by_text("Cost: free.")).to_be_visible()
    assert page.evaluate(FAULTS) == []
    page.get_by_label("Maximum rounds").fill("2")
    page.get_by_role("button", name="Start the round table").click()
    return page


def test_three_voices_discuss_in_two_rounds(started: Page) -> None:
    page = started
    more = page.get_by_role("button", name="One more round")
    expect(more).to_be_visible()
    expect(page.locator(".cell.is-said")).to_have_count(6)
    expect(page.get_by_role("heading", name="Who contributed")).to_be_visible()
    assert faults_of(page, page.url) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(DARK_FAULTS) == []
    for width in (1280, 760, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert not goes_sideways(page), width


def test_table_goes_on_with_what_the_learner_says(started: Page) -> None:
    page = started
    page.get_by_label("Say something to everyone").fill("And who wrote fractions first?")
    before = page.url
    page.get_by_role("button", name="One more round").click()
    page.wait_for_url(lambda address: address != before)
    expect(page.get_by_role("button", name="One more round")).to_be_visible()
    expect(page.get_by_text("And who wrote fractions first?")).to_be_visible()
    expect(page.locator("#round-3 .cell.is-said")).to_have_count(3)
    page.get_by_role("link", name="Leave").click()
    expect(page.get_by_role("link", name="See the round table")).to_have_count(2)


def test_empty_table_is_refused_and_the_question_stays(page: Page, url: str, learner: Any) -> None:
    page.goto(f"{url}/round-table/")
    page.get_by_label("Your question").fill(QUESTION)
    for voice in page.get_by_role("checkbox").all():
        voice.uncheck()
    page.get_by_role("button", name="Start the round table").click()
    expect(page.get_by_role("alert").filter(has_text="Name at least one agent.")).to_be_visible()
    expect(page.get_by_label("Your question")).to_have_value(QUESTION)
