"""An open question is answered by the team: with sources that open, a way on, and a record of who worked when."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from conversations.models import Session
from tests.e2e.page_actions import goes_sideways, turns, wait_until_said
from tests.e2e.test_pages import AXE, faults_of


@pytest.fixture
def answered(page: Page, context: BrowserContext, url: str, articles: None, learner: Any) -> Page:
    context.add_init_script(path=AXE)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{url}/talk/")
    page.get_by_role("textbox").first.fill("How do transformers work in NLP?")
    page.get_by_role("textbox").first.press("Enter")
    expect(turns(page)).to_have_count(1)
    wait_until_said(page)
    page.wait_for_load_state("load")  # Until then, nothing listens for a change of the choice.
    return page


def test_answer_has_a_source_that_opens_and_a_way_on(answered: Page) -> None:
    page = answered
    follow_up = page.locator(".replies button").last
    expect(follow_up).to_be_visible()
    assert faults_of(page, page.url) == []
    assert not goes_sideways(page)
    follow_up.click()
    expect(turns(page)).to_have_count(2)
    wait_until_said(page)
    page.get_by_role("link", name="How transformers work").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How transformers work")


def test_learner_chooses_who_answers(answered: Page) -> None:
    page = answered
    with page.expect_response(lambda response: "answered-by" in response.url):
        page.get_by_label("Who answers your questions").select_option(label="the whole team")
    page.reload()
    expect(page.get_by_label("Who answers your questions")).to_have_value(Session.AnsweredBy.TEAM)


def test_record_shows_who_worked_when(answered: Page) -> None:
    page = answered
    page.goto(f"{page.url}transcript/")
    expect(page.get_by_text("because Analysis had mentioned it").first).to_be_visible()
    page.get_by_text("Timeline", exact=True).click()
    expect(page.locator(".timeline tbody tr")).to_have_count(4)
    assert faults_of(page, page.url) == []
    assert not goes_sideways(page)
