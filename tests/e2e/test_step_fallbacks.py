"""A step whose page has no connection for a while, or no scripts."""

from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_actions import Complaints, begin_lesson, open_card, question_on, right_answer, sign_in, turns


def test_answer_is_sent_again_when_the_connection_is_back(
    page: Page, url: str, learner: Any, complaints: Complaints
) -> None:
    begin_lesson(page, url)
    card = open_card(page)
    question = question_on(card)
    card.locator(f".choice:has([value={right_answer(card)}])").click()
    check = page.locator("#bar .primary")
    page.context.set_offline(True)
    check.click()
    trouble = page.locator("#trouble")
    expect(trouble).to_contain_text("will be sent when the connection is back")
    words, button = trouble.bounding_box(), check.bounding_box()
    assert words is not None
    assert button is not None
    assert words["y"] + words["height"] <= button["y"]
    page.context.set_offline(False)
    expect(page.locator(f"#question-{question.pk}")).to_have_attribute("data-state", "answered")
    expect(trouble).to_be_empty()
    assert question.attempts.count() == 1
    complaints.heard = [text for text in complaints.heard if "ERR_INTERNET_DISCONNECTED" not in text]


def test_wrong_answer_without_scripts_comes_with_the_tutors_case(
    browser: Browser, browser_context_args: dict[str, Any], page: Page, url: str, learner: Any
) -> None:
    begin_lesson(page, url)
    with browser.new_context(**browser_context_args, java_script_enabled=False) as context:
        sign_in(context, learner, url)
        plain = context.new_page()
        plain.goto(page.url)
        card = open_card(plain)
        for way in ("I’m stuck", "Show me", "Skip"):
            expect(card.get_by_role("button", name=way)).to_be_visible()
        expect(plain.get_by_role("textbox", name="Message")).to_be_hidden()
        wrong = next(letter for letter in "ABC" if letter != right_answer(card))
        card.locator(f".choice:has([value={wrong}])").click()
        card.get_by_role("button", name="Check").click()
        expect(plain.locator(".say[aria-busy]")).to_have_count(0)
        expect(plain.get_by_role("button", name="Stop")).to_be_hidden()
        expect(plain.locator("#thread .say").last).not_to_be_empty()
        before = question_on(open_card(plain))
        open_card(plain).get_by_role("button", name="Skip").click()
        expect(plain.locator(f"#question-{before.pk}")).not_to_have_attribute("data-state", "open")
        expect(turns(plain)).not_to_have_count(0)
