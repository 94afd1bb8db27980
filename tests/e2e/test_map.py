"""The map of a course in a browser: by keyboard, and without scripts."""

from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_actions import sign_in


def test_path_is_changed_and_changed_back_without_scripts(
    browser: Browser, browser_context_args: dict[str, Any], url: str, learner: Any
) -> None:
    with browser.new_context(**browser_context_args, java_script_enabled=False) as context:
        sign_in(context, learner, url)
        page = context.new_page()
        page.goto(f"{url}/learn/fractions/")
        press(page, "Make this my goal: Adding unlike fractions")
        expect(page.get_by_role("status")).to_contain_text("is now your goal")
        expect(page.get_by_role("heading", name="Your path", exact=True)).to_be_visible()
        press(page, "Put aside: One half")
        expect(page.locator("#step-one-half")).to_be_focused()
        expect(page.get_by_role("status")).to_be_in_viewport()
        press(page, "Bring back: One half")
        press(page, "Do this first: Adding pieces of the same size")
        press(page, "Back to the planned order")
        page.get_by_role("region", name="Your path").get_by_role("button", name="Remove this goal").click()
        expect(page.get_by_role("link", name="Choose a goal")).to_be_visible()


def test_keys_come_through_the_drawing_in_the_order_of_the_path(page: Page, url: str, learner: Any) -> None:
    page.goto(f"{url}/learn/fractions/")
    press(page, "Make this my goal: Adding unlike fractions")
    page.goto(f"{url}/learn/fractions/")
    page.get_by_role("link", name="Skip the map").focus()
    come_to = []
    for _ in range(4):
        page.keyboard.press("Tab")
        come_to.append(page.evaluate("document.activeElement.getAttribute('aria-label').split(';')[0]"))
    assert come_to == ["Equal parts", "One half", "Unit fractions", "Several equal parts"]
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{url}/c/fractions-several-parts/")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()
