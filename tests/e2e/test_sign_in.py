"""Signing in and out in a browser."""

from typing import Any

from playwright.sync_api import Page, expect

from learnagent.accounts.authentication.sign_in_links import sign_in_address


def test_printed_link_signs_in_once(page: Page, url: str, ada: Any) -> None:
    address = sign_in_address(ada)
    page.goto(address)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.request.get(address).status == 404


def test_chosen_theme_holds_on_every_page(page: Page, url: str, learner: Any) -> None:
    page.goto(f"{url}/accounts/profile/")
    page.get_by_role("radio", name="dark", exact=True).check()
    page.get_by_role("button", name="Save").click()
    page.goto(url)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
