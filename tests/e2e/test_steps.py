"""The steps of a lesson: answered one at a time, folded when done, and kept where page or person is held up."""

import asyncio
import threading
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Locator, Page, Route, expect

from conversations.turns.supervisor import Supervisor
from tests.e2e.page_actions import (
    LESSON,
    Complaints,
    begin_lesson,
    goes_sideways,
    message_box,
    open_card,
    question_on,
    right_answer,
    say,
    sign_in,
    wait_until_said,
)
from tests.e2e.test_outbox import Line

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def primary(page: Page) -> Locator:
    return page.locator("#bar .primary")


def begin(page: Page, url: str) -> Locator:
    """Begin the lesson; return its first step, a choice, wherever it stands later."""
    begin_lesson(page, url)
    return page.locator(f"#{open_card(page).get_attribute('id')}")


def beginning(page: Page) -> Locator:
    """Where the open step is read from."""
    return open_card(page).locator(".lead, .stem").first


def choose(card: Locator, letter: str) -> None:
    card.locator(f".choice:has([value={letter}])").click()


def answer(page: Page, card: Locator) -> None:
    """Choose the right answer, check it and wait until the next step can be asked for."""
    choose(card, right_answer(card))
    primary(page).click()
    expect(primary(page)).to_have_text("Next")


def wrong_answer(card: Locator) -> str:
    return next(letter for letter in "ABC" if letter != right_answer(card))


@pytest.mark.parametrize("by", ["mouse", "keyboard", "touch"])
def test_step_is_answered_and_gives_way_to_the_next(
    browser: Browser, browser_context_args: dict[str, Any], url: str, learner: Any, by: str
) -> None:
    with browser.new_context(**browser_context_args | (PHONE if by == "touch" else {})) as context:
        sign_in(context, learner, url)
        page = context.new_page()
        card = begin(page, url)
        letter = right_answer(card)
        expect(primary(page)).to_be_disabled()
        choice = card.locator(f".choice:has([value={letter}])")
        press = {
            "mouse": lambda place: place.click(),
            "keyboard": lambda place: page.keyboard.press("Enter"),
            "touch": lambda place: place.tap(),
        }[by]
        if by == "keyboard":
            page.keyboard.press(str("ABC".index(letter) + 1))
        else:
            press(choice)
        expect(primary(page)).to_have_text("Check")
        expect(primary(page)).to_be_enabled()
        press(primary(page))
        expect(card.locator(".note")).to_be_focused()
        expect(card.locator(".note")).to_be_in_viewport()
        expect(primary(page)).to_have_text("Next")
        press(primary(page))
        expect(open_card(page)).to_have_count(1)
        assert open_card(page).get_attribute("id") != card.get_attribute("id")
        expect(beginning(page)).to_be_focused()
        expect(beginning(page)).to_be_in_viewport()
        assert [attempt.correct for attempt in question_on(card).attempts.all()] == [True]
        assert not goes_sideways(page)


def test_finished_step_folds_to_its_result_and_opens_again(page: Page, url: str, learner: Any) -> None:
    card = begin(page, url)
    line = card.locator("[data-step-line]")
    expect(line).to_be_hidden()
    answer(page, card)
    expect(card.locator(".note")).to_be_visible()
    primary(page).click()
    expect(line).to_have_attribute("aria-expanded", "false")
    expect(line).to_contain_text("right")
    expect(card.locator(".note")).to_be_hidden()
    line.press("Enter")
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(card.locator(".note")).to_be_visible()
    expect(card.locator(".choice.is-chosen")).to_be_visible()
    line.click()
    expect(card.locator(".note")).to_be_hidden()
    page.reload()
    expect(line).to_be_visible()
    expect(card.locator(".note")).to_be_hidden()
    expect(open_card(page)).to_be_visible()


def test_answer_that_finds_no_connection_waits_for_it_and_counts_once(
    page: Page, url: str, learner: Any, complaints: Complaints
) -> None:
    line = Line(page)
    card = begin(page, url)
    letter = right_answer(card)
    choose(card, letter)
    line.cut()
    page.context.set_offline(True)
    primary(page).click()
    trouble = page.locator("#trouble")
    expect(trouble).to_contain_text("will be sent when the connection is back")
    words, button = trouble.bounding_box(), primary(page).bounding_box()
    assert words is not None
    assert button is not None
    assert words["y"] + words["height"] <= button["y"]
    expect(card.locator(f"[value={letter}]")).to_be_checked()
    page.context.set_offline(False)
    line.mend()
    expect(card).to_have_attribute("data-state", "answered")
    expect(trouble).to_be_empty()
    expect(primary(page)).to_have_text("Next")
    primary(page).click()
    expect(open_card(page)).to_be_visible()
    assert question_on(card).attempts.count() == 1
    lost = ("ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest")
    complaints.heard = [text for text in complaints.heard if not any(each in text for each in lost)]


def test_steps_go_on_without_javascript(
    browser: Browser, browser_context_args: dict[str, Any], page: Page, url: str, learner: Any
) -> None:
    key = begin(page, url).get_attribute("id")
    with browser.new_context(**browser_context_args, java_script_enabled=False) as context:
        sign_in(context, learner, url)
        plain = context.new_page()
        plain.goto(page.url)
        expect(plain.get_by_role("textbox", name="Message")).to_be_hidden()
        card = plain.locator(f"#{key}")
        for way in ("I’m stuck", "Show me", "Skip"):
            expect(card.get_by_role("button", name=way)).to_be_visible()
        choose(card, wrong_answer(card))
        card.get_by_role("button", name="Check").click()
        expect(card).to_have_attribute("data-verdict", "wrong")
        expect(plain.locator("#thread .say").last).not_to_be_empty()  # The case that tests the idea behind the answer.
        expect(plain.get_by_role("button", name="Stop")).to_be_hidden()
        choose(card, right_answer(card))
        card.get_by_role("button", name="Check").click()
        expect(card).to_have_attribute("data-state", "answered")
        expect(plain).to_have_url(f"{page.url}#{key}")
        expect(card.locator(".note")).to_be_visible()
        assert [attempt.correct for attempt in question_on(card).attempts.order_by("created_at")] == [False, True]
        second = plain.locator(f"#{open_card(plain).get_attribute('id')}")
        second.get_by_role("button", name="Skip").click()
        expect(second).not_to_have_attribute("data-state", "open")
        expect(card.locator(".note")).to_be_visible()


def test_step_is_worked_at_four_times_the_size(page: Page, url: str, learner: Any) -> None:
    """WCAG 1.4.10: a window of 1280 pixels at 400 % is 320 wide and as low."""
    page.set_viewport_size({"width": 320, "height": 256})
    card = begin(page, url)
    assert not goes_sideways(page)
    choose(card, wrong_answer(card))
    primary(page).click()
    expect(card.locator(".note")).to_be_focused()
    expect(card.locator(".note")).to_be_in_viewport()
    wait_until_said(page)
    assert not goes_sideways(page)
    primary(page).click()  # The other choices come back with “Try again”.
    answer(page, card)
    primary(page).click()
    expect(beginning(page)).to_be_in_viewport()
    assert not goes_sideways(page)


def test_result_is_in_view_where_the_socket_brings_it_before_the_response(page: Page, url: str, learner: Any) -> None:
    page.set_viewport_size({"width": 320, "height": 256})
    card = begin(page, url)
    note = card.locator(".note")

    def hold(route: Route) -> None:
        response = route.fetch()
        expect(note).to_be_focused()
        route.fulfill(response=response)

    page.route("**/answers/**", hold)
    choose(card, wrong_answer(card))
    with page.expect_response("**/answers/**"):
        primary(page).click()
    expect(note).to_be_focused()
    wait_until_said(page)
    expect(note).to_be_in_viewport()


def test_result_of_an_answer_in_words_is_in_view(page: Page, url: str, learner: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 500})
    card = begin(page, url)
    choose(card, wrong_answer(card))
    primary(page).click()
    wait_until_said(page)
    say(page, right_answer(card))
    expect(card).to_have_attribute("data-state", "answered")
    wait_until_said(page)
    expect(card.locator(".note")).to_be_in_viewport()


def test_what_is_typed_while_a_result_is_read_answers_no_question_that_was_not_shown(
    page: Page, url: str, learner: Any
) -> None:
    answer(page, begin(page, url))
    say(page, "3")
    wait_until_said(page)
    waiting = open_card(page)
    expect(waiting).to_be_visible()
    expect(waiting.locator(".note")).to_have_count(0)


def test_remark_on_a_result_leaves_the_next_question_hidden(page: Page, url: str, learner: Any) -> None:
    answer(page, begin(page, url))
    expect(primary(page)).to_have_text("Next")
    say(page, "that is like sharing with my sister at home")
    wait_until_said(page)
    expect(open_card(page)).to_be_hidden()
    primary(page).click()
    expect(open_card(page)).to_be_visible()
    expect(open_card(page).locator(".note")).to_have_count(0)


def test_lesson_begun_while_a_result_is_read_is_shown_with_its_own_buttons(page: Page, url: str, learner: Any) -> None:
    answer(page, begin(page, url))
    say(page, "Switch to Equal parts")
    expect(open_card(page)).to_be_visible()
    expect(primary(page)).to_have_text("Check")
    expect(page.get_by_role("button", name="I’m stuck")).to_be_visible()


@pytest.mark.parametrize(("wanted", "behavior"), [("reduce", "instant"), ("no-preference", "smooth")])
def test_page_moves_to_the_next_step_as_the_reader_wants(
    page: Page, url: str, learner: Any, wanted: Any, behavior: str
) -> None:
    page.emulate_media(reduced_motion=wanted)
    answer(page, begin(page, url))
    page.evaluate("() => { window.moves = []; window.scrollTo = (how) => moves.push(how.behavior); }")
    primary(page).click()
    expect(beginning(page)).to_be_focused()
    assert set(page.evaluate("moves")) == {behavior}  # Again while the step grows.
    if wanted == "reduce":
        assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("is_asking", [False, True])
def test_first_step_that_arrives_late_takes_the_keys_unless_something_is_being_asked(
    page: Page, url: str, learner: Any, monkeypatch: pytest.MonkeyPatch, is_asking: bool
) -> None:
    begins = threading.Event()
    run = Supervisor._run

    async def run_when_told(self: Supervisor, turn: Any, feed: Any) -> None:
        await asyncio.to_thread(begins.wait)
        await run(self, turn, feed)

    monkeypatch.setattr(Supervisor, "_run", run_when_told)
    page.goto(url + LESSON)
    expect(page.locator("#composer")).to_have_attribute("data-state", "running")
    expect(message_box(page)).to_be_focused()
    if is_asking:
        message_box(page).click()
    begins.set()
    expect(open_card(page)).to_have_count(1)
    if is_asking:
        expect(message_box(page)).to_be_focused()
        return
    expect(beginning(page)).to_be_focused()
    page.keyboard.press("1")
    expect(open_card(page).locator(".choice.is-chosen, .choice:has(:checked)")).to_have_count(1)
    expect(primary(page)).to_be_enabled()


def test_result_is_read_when_its_response_comes_after_the_socket(page: Page, url: str, learner: Any) -> None:
    card = begin(page, url)
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/answers/**", lambda route: late.append((route, route.fetch())))
    choose(card, right_answer(card))
    primary(page).click()
    expect(card).to_have_attribute("data-state", "answered")
    expect(primary(page)).to_have_text("Next")
    (route, response) = late[0]
    route.fulfill(response=response)
    expect(card.locator(".note")).to_be_focused()
