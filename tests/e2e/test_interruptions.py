"""What a reader does in the middle of a reply: stop it, reload, open a second tab."""

import threading
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from conversations.models import Message
from tests.e2e.conftest import held
from tests.e2e.page_actions import (
    begin_lesson,
    fill_in,
    message_box,
    open_card,
    press,
    reach_question,
    right_answer,
    say,
    turns,
    wait_until_said,
)

CLAIM = "these two pieces are halves"
FIRST_WORDS = "Two pieces are always halves."
LAST_WORDS = "How much do you really get?"


def begin_reply(page: Page) -> None:
    """Send a message and wait for the first words of the answer."""
    message_box(page).fill(CLAIM)
    message_box(page).press("Enter")
    expect(page.locator(".stream")).to_contain_text(FIRST_WORDS)


@pytest.fixture
def in_mid_stream(page: Page, url: str, learner: Any, settings: Any, cue: threading.Event) -> Page:
    """A lesson whose tutor waits for a cue in the middle of an answer."""
    begin_lesson(page, url)
    settings.LLMS = held(cue)
    begin_reply(page)
    return page


def test_stopping_keeps_the_words_said_so_far(in_mid_stream: Page) -> None:
    page = in_mid_stream
    page.get_by_role("button", name="Stop").click()
    expect(turns(page).last).to_contain_text("You stopped this answer.")
    said = Message.objects.get(turn__number=2, author="team").text
    assert FIRST_WORDS in said
    assert LAST_WORDS not in said
    expect(turns(page).last.locator(".prose").first).to_contain_text(FIRST_WORDS)
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


def test_reload_in_mid_stream_loses_nothing_and_doubles_nothing(in_mid_stream: Page, cue: threading.Event) -> None:
    page = in_mid_stream
    page.reload()
    cue.set()
    wait_until_said(page)
    reply = Message.objects.get(turn__number=2, author="team")
    expect(turns(page)).to_have_count(2)
    shown = page.locator(".turn").last.locator(".prose").all_inner_texts()
    assert " ".join(shown).split() == reply.text.replace("*", "").split()
    expect(turns(page).last.locator(".picture")).to_have_count(1)
    expect(page.locator(".said")).to_have_text([CLAIM])


def test_reloaded_page_shows_words_and_pictures_while_they_come(in_mid_stream: Page, cue: threading.Event) -> None:
    page = in_mid_stream
    expect(page.locator(".stream .picture")).to_have_count(1)
    page.reload()
    expect(page.locator(".stream .picture")).to_have_count(1)
    expect(page.locator(".stream p").first).to_contain_text(FIRST_WORDS)
    cue.set()
    wait_until_said(page)
    expect(turns(page).last.locator(".picture")).to_have_count(1)


def test_two_tabs_show_the_same(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    other = page.context.new_page()
    other.goto(page.url)
    wait_until_said(other)
    say(page, CLAIM)
    expect(turns(other)).to_have_count(2)
    wait_until_said(other)
    reach_question(other)
    expect(open_card(page)).to_have_count(1)
    page.bring_to_front()
    fill_in(open_card(page), right_answer(open_card(page)))
    press(page, open_card(page), "Check")
    expect(turns(other)).to_have_count(4)
    for tab in (page, other):
        wait_until_said(tab)
    expect(other.locator("#thread")).to_have_text(page.locator("#thread").inner_text(), use_inner_text=True)


def test_words_being_written_outlive_a_reload(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    message_box(page).fill("half of a thought")
    page.reload()
    expect(message_box(page)).to_have_value("half of a thought")
