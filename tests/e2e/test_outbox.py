"""What waits to be said: in line while a turn runs, kept while the server is away, said once."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from conversations.models import Message
from tests.e2e.browsing import begin_lesson, message_box, turns, wait_until_said
from tests.e2e.conftest import paced


def waiting(page: Page) -> Locator:
    return page.locator("#outbox li")


def write(page: Page, text: str) -> None:
    message_box(page).fill(text)
    message_box(page).press("Enter")
    expect(message_box(page)).to_have_value("")


def said() -> list[str]:
    return list(Message.objects.filter(author="learner").order_by("turn__number").values_list("text", flat=True))


def test_messages_wait_in_line_can_be_changed_and_outlive_a_reload(
    page: Page, url: str, learner: Any, settings: Any
) -> None:
    begin_lesson(page, url)
    settings.LLMS = paced(0.1)
    write(page, "these two pieces are halves")
    expect(page.locator(".stream")).to_contain_text("these two pieces")
    for text in ("first", "secnd", "third"):
        write(page, text)
    expect(waiting(page)).to_have_count(3)
    waiting(page).nth(1).get_by_role("button", name="Change it").click()
    page.get_by_role("textbox", name="Change the message").fill("second")
    page.keyboard.press("Enter")
    waiting(page).nth(2).get_by_role("button", name="Do not send it").click()
    expect(page.locator(".outbox-text")).to_have_text(["first", "second"])
    page.reload()
    settings.LLMS = paced(0)
    expect(turns(page)).to_have_count(4)
    wait_until_said(page)
    expect(waiting(page)).to_have_count(0)
    assert said() == ["these two pieces are halves", "first", "second"]
