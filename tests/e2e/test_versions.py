"""A message is changed in its place; its older versions can be read, and the conversation goes on from the newest."""

import os
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from conversations.models import Turn
from tests.e2e.page_actions import begin_lesson, goes_sideways, open_asides, say, turns, wait_until_said
from tests.e2e.test_pages import AXE, FAULTS


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png")


def test_message_is_changed_by_keyboard_and_its_versions_are_stepped_through(
    page: Page, context: BrowserContext, url: str, learner: Any
) -> None:
    context.add_init_script(path=AXE)
    page.set_viewport_size({"width": 390, "height": 844})
    begin_lesson(page, url)
    say(page, "what of ribons")
    say(page, "are you a robot")
    open_asides(page)
    edit = page.get_by_role("button", name="Edit what you said")
    edit.first.focus()
    page.keyboard.press("Enter")
    own = page.get_by_role("textbox", name="Your message")
    expect(own).to_be_focused()
    picture(page, "edit-390")
    own.fill("never mind")
    page.keyboard.press("Escape")
    expect(own).to_have_count(0)
    expect(edit.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(own).to_have_value("what of ribons")
    own.fill("what of ribbons")
    assert page.evaluate(FAULTS) == []
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("are you a robot")).to_have_count(0)
    expect(turns(page)).to_have_count(2)
    wait_until_said(page)
    expect(page.get_by_role("region", name="Your questions about this step")).to_be_focused()

    page.get_by_role("button", name="Try again").last.click()
    expect(page.get_by_text("3 of 3")).to_be_visible()
    wait_until_said(page)
    page.get_by_role("link", name="Previous version").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    expect(page.get_by_role("link", name="Next version")).to_be_focused()
    page.get_by_role("link", name="Previous version").click()
    expect(page.get_by_text("are you a robot")).to_be_visible()
    expect(page.get_by_text("3 of 3")).to_be_hidden()
    assert not goes_sideways(page)
    assert page.evaluate(FAULTS) == []
    picture(page, "older-390")
    page.get_by_role("link", name="Back to the newest").press("Enter")
    expect(page.get_by_text("3 of 3")).to_be_visible()
    expect(page.get_by_role("link", name="Previous version")).to_be_focused()
    if os.environ.get("PICTURES"):
        pictures(page)
    say(page, "thanks")
    assert list(Turn.objects.filter(replaced_by=None).order_by("number").values_list("number", flat=True)) == [1, 5, 6]


def test_change_that_comes_too_late_is_refused_and_its_words_are_kept(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    say(page, "what of ribons")
    say(page, "are you a robot")
    open_asides(page)
    page.get_by_role("button", name="Edit what you said").first.click()
    own = page.get_by_role("textbox", name="Your message")
    own.fill("what of ribbons")
    # As another tab's newer version does, of which this page has not heard yet.
    Turn.objects.filter(number=2).update(replaced_by=Turn.objects.get(number=3))
    own.press("Control+Enter")
    expect(page.get_by_role("alert").filter(has_text="changed in another window")).to_be_visible()
    expect(own).to_have_value("what of ribbons")
    expect(own).to_be_editable()
    assert Turn.objects.count() == 3


def pictures(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 860})
    page.get_by_text("what of ribbons").hover()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        picture(page, f"newest-1280-{scheme}")
    page.get_by_role("link", name="Previous version").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    picture(page, "older-1280-dark")
    page.get_by_role("link", name="Back to the newest").click()
    page.get_by_role("button", name="Edit what you said").first.click()
    picture(page, "edit-1280-dark")
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="light")


def test_box_of_a_message_stays_in_sight_when_it_opens_at_the_end_of_the_page(
    page: Page, url: str, learner: Any
) -> None:
    page.set_viewport_size({"width": 390, "height": 660})
    begin_lesson(page, url)
    say(page, "what of ribbons, can I cut them like this too?")
    open_asides(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.get_by_role("button", name="Edit what you said").last.dispatch_event("click")
    own = page.get_by_role("textbox", name="Your message")
    expect(own).to_be_focused()
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
    )
    top = page.evaluate("document.querySelector('.rewrite textarea').getBoundingClientRect().top")
    assert top > page.evaluate("document.querySelector('.top').offsetHeight")
