"""How a reply came about, unfolded under it and read as a page."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.page_actions import begin_lesson, goes_sideways, say, turns, wait_until_said
from tests.e2e.test_pages import AXE, FAULTS, faults_of
from tests.e2e.test_versions import picture


def test_story_unfolds_under_its_reply_and_stands_on_a_page(
    page: Page, context: BrowserContext, url: str, learner: Any
) -> None:
    context.add_init_script(path=AXE)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{url}/talk/")
    page.get_by_role("textbox").first.fill("hello")
    page.get_by_role("textbox").first.press("Enter")
    expect(turns(page)).to_have_count(1)
    wait_until_said(page)
    # Over the socket: while it connects, it draws the first turn again, and takes the focus out of it.
    say(page, "what can you do?")
    expect(turns(page)).to_have_count(2)
    wait_until_said(page)
    how = page.get_by_text("How this answer was made").last
    how.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The coordinator sent you to")).to_be_visible()
    assert page.evaluate(FAULTS) == []
    assert not goes_sideways(page)
    how.scroll_into_view_if_needed()
    picture(page, "story-390")

    begin_lesson(page, url)
    say(page, "Yes, because there are two pieces")
    page.get_by_role("button", name="This conversation", exact=True).click()
    page.get_by_role("link", name="How each answer was made").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How each answer was made")
    expect(page.get_by_role("heading", level=2)).to_have_count(2)
    expect(page.locator(".story q")).to_have_text("Yes, because there are two pieces")
    assert not goes_sideways(page)
    assert faults_of(page, page.url) == []
    picture(page, "transcript-390")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.emulate_media(color_scheme="dark")
    picture(page, "transcript-1280-dark")
