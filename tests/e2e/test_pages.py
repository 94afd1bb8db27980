"""Every page: as wide as the window, quiet in the console, and usable with a screen reader."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_actions import (
    Complaints,
    begin_lesson,
    goes_sideways,
    reach_question,
    say,
    sign_in,
    wait_until_said,
)
from tutoring.mastery.records.goals import set_goal
from tutoring.models import Concept

AXE = Path(__file__).parent / "vendor" / "axe-core-4.14.1" / "axe.min.js"
FAULTS = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .filter((fault) => ["serious", "critical"].includes(fault.impact))
    .map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.target).join(" ")}`)"""
DARK_FAULTS = FAULTS.replace("{resultTypes", "{runOnly: ['color-contrast'], resultTypes")
"""Of a page that had none in light colors: only colors can be at fault."""
PATHS = (
    "/",
    "/learn/",
    "/learn/fractions/",
    "/learn/lesson/fractions-one-half/",
    "/talk/",
    "/progress/",
    "/progress/fractions/one-half/",
    "/c/",
    "/my-courses/",
    "/accounts/profile/",
    "/accounts/sessions/",
    "/accounts/phone/",
    "/accounts/data/",
)


@pytest.fixture
def lesson(page: Page, url: str, learner: Any) -> str:
    """The address of a lesson with a contrast case in it, a finding, and a question that waits, on the way to a goal."""
    set_goal(learner, Concept.objects.get(slug="add-unlike"))
    begin_lesson(page, url)
    say(page, "these two pieces are halves")
    reach_question(page)
    return page.url


def test_no_page_goes_sideways(page: Page, url: str, lesson: str) -> None:
    for address in (lesson, *(url + path for path in PATHS)):
        page.goto(address)
        for width in (1280, 760, 640, 320):
            page.set_viewport_size({"width": width, "height": 800})
            assert not goes_sideways(page), (address, width)


def test_axe_finds_nothing_serious_in_light_or_dark(
    browser: Browser, browser_context_args: dict[str, Any], url: str, lesson: str, learner: Any
) -> None:
    with browser.new_context(**browser_context_args) as context:
        context.add_init_script(path=AXE)
        page = context.new_page()
        signed_out = f"{url}/accounts/sign-in/"
        for address in (signed_out, lesson, *(url + path for path in PATHS)):
            page.emulate_media(color_scheme="light")
            assert faults_of(page, address) == [], address
            page.emulate_media(color_scheme="dark")
            assert page.evaluate(DARK_FAULTS) == [], address
            if address == signed_out:
                sign_in(context, learner, url)


def test_axe_finds_nothing_serious_on_a_phone(
    browser: Browser, browser_context_args: dict[str, Any], url: str, lesson: str, learner: Any
) -> None:
    phone = {**browser_context_args, "viewport": {"width": 390, "height": 844}}
    with browser.new_context(**phone) as context:
        context.add_init_script(path=AXE)
        sign_in(context, learner, url)
        page = context.new_page()
        assert faults_of(page, lesson) == []
        page.get_by_role("button", name="My goal").click()
        assert page.evaluate(FAULTS) == []
        page.keyboard.press("Escape")
        assert faults_of(page, url) == []
        page.get_by_role("button", name="Menu").click()
        assert page.evaluate(FAULTS) == []


def test_missing_page_is_quiet_but_for_its_status(page: Page, url: str, learner: Any, complaints: Complaints) -> None:
    page.goto(f"{url}/nowhere/")
    page.get_by_role("link").first.wait_for()
    assert [text for text in complaints.heard if "status of 404" not in text] == []
    complaints.heard.clear()


def test_press_shows_that_it_is_worked_on_and_counts_once(page: Page, url: str) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method) if request.method == "POST" else None)
    page.goto(f"{url}/accounts/forgotten/")
    page.get_by_role("textbox").fill("nobody")
    # In one go: the driver waits for pages to come.
    seen = page.get_by_role("button", name="Send link").evaluate(
        "button => (button.click(), button.click(), [button.ariaBusy, document.documentElement.dataset.waiting])"
    )
    assert seen == ["true", ""]
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    assert sent == ["POST"]


def faults_of(page: Page, address: str) -> Any:
    page.goto(address)
    if page.locator("#composer").count():
        wait_until_said(page)
    return page.evaluate(FAULTS)
