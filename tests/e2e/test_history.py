"""One's own conversations in a browser: found again, named, judged, deleted and brought back."""

import re
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from conversations.models import Feedback, Session
from tests.e2e.page_actions import begin_lesson, goes_sideways, open_asides, say, turns, wait_until_said
from tests.e2e.test_pages import AXE, faults_of


def test_conversation_is_named_found_deleted_and_brought_back(
    page: Page, context: BrowserContext, url: str, learner: Any
) -> None:
    context.add_init_script(path=AXE)
    page.set_viewport_size({"width": 390, "height": 844})
    begin_lesson(page, url)
    say(page, "what of ribbons")
    menu = page.get_by_role("button", name="This conversation", exact=True)
    menu.focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name", exact=True).fill("Ribbons and halves")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ribbons and halves")
    menu.click()
    page.get_by_role("button", name="Pin to the top").click()

    page.goto(f"{url}/c/?q=ribb")
    assert not goes_sideways(page)
    assert faults_of(page, page.url) == []
    page.locator(".hits a").last.click()
    expect(page.locator(".turn:target")).to_contain_text("what of ribbons")
    expect(page.locator(".turn:target")).to_be_in_viewport()

    menu.click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status").filter(has_text="was moved to the trash")).to_be_visible()
    assert faults_of(page, f"{url}/c/?show=trash") == []
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ribbons and halves")
    assert Session.objects.get().pinned


def test_list_of_conversations_shows_the_new_name_when_a_lesson_begins(page: Page, url: str, learner: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{url}/talk/")
    box = page.get_by_role("textbox").first
    box.fill("hello")
    box.press("Enter")
    expect(turns(page)).to_have_count(1)
    wait_until_said(page)
    page.reload()
    current = page.locator("#current-conversation")
    expect(current).to_have_text(re.compile(r"Conversation:\s*hello"))
    say(page, "one half please")
    expect(page.get_by_role("heading", level=1)).to_have_text("One half")
    expect(current).to_have_text(re.compile(r"Lesson:\s*One half"))


def test_reply_is_judged_and_ones_own_words_are_copied(
    page: Page, context: BrowserContext, url: str, learner: Any
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
    begin_lesson(page, url)
    say(page, "what *of*  ribbons")
    open_asides(page)
    page.get_by_role("button", name="Copy what you said").click()
    assert page.evaluate("navigator.clipboard.readText()") == "what *of*  ribbons"
    down = page.get_by_role("button", name="This did not help").last
    down.click()
    expect(down).to_have_attribute("aria-pressed", "true")
    page.get_by_label(re.compile("What was missing")).fill("a picture")
    page.get_by_role("button", name="Send", exact=True).first.click()
    expect(page.get_by_text("Sent. You can change what you wrote")).to_be_visible()
    assert Feedback.objects.get().words == "a picture"
    down.click()
    expect(down).to_have_attribute("aria-pressed", "false")
    assert not Feedback.objects.exists()
