"""Single keys and their sheet, and the team's sheet on a phone."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.page_actions import begin_lesson, message_box, open_how_it_works, say


def test_single_keys_work_while_nothing_is_typed_and_can_be_switched_off(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    say(page, "what of ribbons")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    message_box(page).press_sequentially("m?")
    expect(message_box(page)).to_have_value("m?")
    expect(sheet).to_have_count(0)
    message_box(page).fill("")
    message_box(page).blur()
    page.keyboard.press("j")
    expect(page.locator(".me").last).to_be_focused()
    page.keyboard.press("d")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("?")
    expect(sheet).to_be_visible()
    page.keyboard.press("m")
    expect(message_box(page)).not_to_be_focused()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("m")
    expect(message_box(page)).to_be_focused()

    message_box(page).blur()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_role("searchbox").blur()
    page.keyboard.press("?")
    sheet.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(sheet).to_have_count(0)


def test_team_is_a_sheet_on_a_phone_that_gives_the_focus_back(page: Page, url: str, learner: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin_lesson(page, url)
    opener = page.get_by_role("button", name="My goal")
    sheet = page.get_by_role("dialog", name="About this lesson")
    opener.focus()
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    open_how_it_works(page)
    expect(sheet.get_by_role("heading", name="Who worked on this last")).to_be_visible()
    assert page.evaluate("document.getElementById('main').inert")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(opener).to_be_focused()
    assert not page.evaluate("document.getElementById('main').inert")
    page.keyboard.press("t")
    sheet.get_by_role("button", name="Close").click()
    expect(opener).to_be_focused()
    page.keyboard.press("t")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#rail")).to_be_visible()
    expect(sheet).to_have_count(0)
    message_box(page).fill("reachable again")
