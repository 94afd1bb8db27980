"""A question beside a step: in the panel of a wide window, in a sheet on a phone, and never in the way of the card."""

from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.page_actions import begin_lesson, goes_sideways, message_box, open_card, right_answer, say, sign_in
from tests.e2e.test_steps import PHONE, beginning, choose, primary, wrong_answer

ASKED = "what is a numerator?"
ANSWER = "parts you are talking about"


def asides(page: Page) -> Locator:
    return page.get_by_role("region", name="Your questions about this step")


def press(page: Page, name: str) -> None:
    asides(page).get_by_role("button", name=name).press("Enter")


def ask_by_touch(page: Page, text: str) -> None:
    page.get_by_role("button", name="Ask", exact=True).tap()
    message_box(page).fill(text)
    page.get_by_role("button", name="Send", exact=True).tap()


def test_question_is_answered_in_the_panel_and_the_card_keeps_its_place(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    card = page.locator(".step[data-current]")
    place = card.bounding_box()
    say(page, ASKED)
    expect(page.locator("#rail").get_by_text(ASKED)).to_be_visible()
    expect(asides(page)).to_contain_text(ANSWER)
    assert card.bounding_box() == place
    say(page, "what is a denominator?")
    expect(asides(page).get_by_text(ASKED)).to_be_hidden()
    press(page, "Earlier questions")
    expect(asides(page).get_by_text(ASKED)).to_be_visible()
    page.reload()
    expect(asides(page).get_by_text("what is a denominator?")).to_be_visible()
    press(page, "That answers my question")
    expect(asides(page).get_by_text("what is a denominator?")).to_be_hidden()
    expect(beginning(page)).to_be_focused()
    page.reload()
    expect(asides(page).get_by_role("button", name="Earlier questions")).to_be_visible()
    expect(asides(page).get_by_text("what is a denominator?")).to_be_hidden()
    assert not goes_sideways(page)


def test_more_is_asked_as_the_learner_and_stays_beside(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    say(page, ASKED)
    press(page, "Tell me more")
    expect(asides(page).locator(".said").last).to_have_text("Tell me more")
    expect(asides(page).get_by_role("button", name="Tell me more")).to_be_focused()
    expect(page.locator(".step-talk .turn")).to_have_count(0)
    say(page, "i am tired")
    expect(asides(page).get_by_role("button", name="Tell me more")).to_be_hidden()
    press(page, "Let’s continue")
    expect(page.locator(".step-talk .said").last).to_have_text("Let’s continue")
    expect(asides(page).get_by_text("i am tired")).to_be_hidden()


def test_answer_typed_is_moved_to_its_card_and_questions_go_with_a_step_that_is_over(
    page: Page, url: str, learner: Any
) -> None:
    begin_lesson(page, url)
    step = page.locator(f"#{page.locator('.step[data-current]').get_attribute('id')}")
    say(page, ASKED)
    say(page, wrong_answer(open_card(page)))
    expect(step.locator(".step-talk .turn")).to_have_count(1)
    expect(asides(page)).to_contain_text(ANSWER)
    choose(open_card(page), right_answer(open_card(page)))
    primary(page).click()
    expect(primary(page)).to_have_text("Next")
    expect(asides(page)).to_contain_text(ANSWER)
    primary(page).click()
    expect(asides(page)).to_be_hidden()
    step.locator("[data-step-line]").click()
    expect(step.locator(".step-talk .said").first).to_have_text(ASKED)


def test_sheet_on_a_phone_leads_back_to_the_card(
    browser: Browser, browser_context_args: dict[str, Any], url: str, learner: Any
) -> None:
    with browser.new_context(**browser_context_args | PHONE) as context:
        sign_in(context, learner, url)
        page = context.new_page()
        begin_lesson(page, url)
        ask_by_touch(page, ASKED)
        expect(asides(page)).to_contain_text(ANSWER)
        expect(asides(page)).to_be_focused()
        sheet, bar = asides(page).bounding_box(), page.locator(".dock").bounding_box()
        assert sheet is not None
        assert bar is not None
        assert abs(sheet["y"] + sheet["height"] - bar["y"]) < 2
        assert page.evaluate("document.getElementById('thread').inert")
        page.reload()
        asides(page).get_by_role("button", name="Back to the step").tap()
        expect(asides(page).get_by_text(ASKED)).to_be_hidden()
        expect(beginning(page)).to_be_focused()
        choose(open_card(page), right_answer(open_card(page)))
        ask_by_touch(page, "what is a denominator?")
        expect(asides(page)).to_be_focused()
        primary(page).tap()  # The next action belongs to the card: the sheet gives way.
        expect(page.locator(".question[data-state=answered] .note")).to_be_focused()
        assert not goes_sideways(page)


def test_sheet_is_worked_by_keys(page: Page, url: str, learner: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin_lesson(page, url)
    field = open_card(page).locator("[type=radio]").first
    field.focus()
    say(page, ASKED)
    expect(asides(page)).to_be_focused()
    for name in ("Back to the step", "That answers my question", "Tell me more", "Copy, edit or rate"):
        page.keyboard.press("Tab")
        expect(asides(page).get_by_role("button", name=name)).to_be_focused()
    page.set_viewport_size({"width": 390, "height": 2_400})  # The card leaves room.
    bar = page.locator(".dock").bounding_box()
    assert bar is not None
    assert bar["height"] < 200
    page.keyboard.press("Escape")
    expect(asides(page).get_by_text(ASKED)).to_be_hidden()
    expect(field).to_be_focused()


def test_question_follows_the_card_at_four_times_the_size_and_without_javascript(
    browser: Browser, browser_context_args: dict[str, Any], page: Page, url: str, learner: Any
) -> None:
    page.set_viewport_size({"width": 320, "height": 256})
    begin_lesson(page, url)
    say(page, ASKED)
    expect(asides(page)).to_be_focused()
    expect(asides(page).get_by_role("button", name="Back to the step")).to_be_in_viewport()
    assert not goes_sideways(page)
    with browser.new_context(**browser_context_args, java_script_enabled=False) as context:
        sign_in(context, learner, url)
        plain = context.new_page()
        plain.goto(page.url)
        expect(asides(plain)).to_contain_text(ANSWER)
        expect(asides(plain).get_by_role("button", name="Tell me more")).to_be_hidden()
        card, below = open_card(plain).bounding_box(), asides(plain).bounding_box()
        assert card is not None
        assert below is not None
        assert card["y"] + card["height"] <= below["y"]
