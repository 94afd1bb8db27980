"""An admin raises the panel's share, sees what it brings, and stops it; another open page notices within five seconds."""

import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from agents.rollout.flags import change_flag, get_or_make_flag, is_enabled, sides_of
from conversations.models import Session, Turn
from tests import people
from tests.e2e.page_actions import goes_sideways, sign_in
from tests.e2e.test_pages import AXE, faults_of

NOTICED_S = 5
"""The kill switch has to be seen within this time."""


@pytest.fixture
def root(url: str, context: BrowserContext) -> Any:
    """An admin, signed in. The panel is at 5 %."""
    cache.clear()
    admin = people.make_root()
    change_flag("multi_agent", by=admin, percent=Decimal(5))
    sign_in(context, admin, url)
    context.add_init_script(path=AXE)
    return admin


@pytest.fixture
def flag_page(page: Page, url: str, root: Any) -> Page:
    page.goto(f"{url}/admin/agents/flag/")
    page.get_by_role("link", name="The panel", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The panel")
    return page


def answered(person: Any, *, ms: float) -> None:
    """Store a finished turn in a conversation of the person's, which begins now."""
    session = Session.objects.create(owner=person, key="s", flags=sides_of(person))
    Turn.objects.create(
        session=session,
        owner=person,
        number=1,
        client_id=uuid.uuid4().hex,
        body_hash="",
        status="done",
        finished_at=timezone.now(),
        answer={"metadata": {"total_time_ms": ms, "fallback": False}},
    )


def test_an_admin_raises_the_share_sees_the_comparison_and_stops_it(
    flag_page: Page, url: str, root: Any, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    page = flag_page
    other = browser.new_context(**browser_context_args)
    sign_in(other, root, url)
    watching = other.new_page()
    watching.goto(page.url)
    expect(watching.locator("#flag-state")).to_contain_text("on for 5%")

    page.get_by_role("button", name="Go to 25").click()
    expect(page.get_by_role("alert").filter(has_text="not recommended yet")).to_be_visible()
    assert get_or_make_flag("multi_agent").percent == 5
    page.get_by_role("button", name="Go to 25 anyway").click()
    expect(page.locator("#flag-state")).to_contain_text("on for 25%")
    expect(page.get_by_text("V2_TRAFFIC_PERCENTAGE = 25")).to_be_visible()
    expect(watching.locator("#flag-state")).to_contain_text("on for 25%", timeout=NOTICED_S * 1000)

    learners = [people.make_person(f"p{number}") for number in range(12)]
    for learner in learners:
        answered(learner, ms=1000)
    inside = sum(is_enabled("multi_agent", learner) for learner in learners)
    cache.clear()  # It is ten seconds old at most; the test has no ten seconds.
    page.reload()
    expect(page.locator("#flag-figures")).to_contain_text(f"without the flag: {len(learners) - inside} people")
    assert 0 < inside < len(learners)
    expect(page.locator("#flag-figures")).to_contain_text("too little data")

    page.get_by_role("link", name="Switch off for everyone").click()
    page.get_by_role("button", name="Yes, switch it off").click()
    expect(watching.get_by_text("Switched off for everyone.")).to_be_visible(timeout=NOTICED_S * 1000)
    expect(watching.get_by_role("button", name="Release the switch")).to_be_visible()
    assert not any(is_enabled("multi_agent", learner) for learner in learners)
    other.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_sound_on_every_screen_and_by_keyboard(flag_page: Page, width: int) -> None:
    page = flag_page
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{page.url}?ask=stop&person=root")
    assert faults_of(page, page.url) == []
    assert not goes_sideways(page)
    expect(page.locator(".found")).to_contain_text("root")
    page.get_by_role("button", name="Yes, switch it off").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Release the switch")).to_be_visible()
    assert faults_of(page, page.url) == []


def test_what_is_typed_stays_when_somebody_else_changes_the_flag(flag_page: Page) -> None:
    page = flag_page
    page.get_by_role("textbox", name="When").fill("2099-01-01T10:00")
    change_flag("multi_agent", percent=Decimal(50))
    expect(page.locator("#flag-news")).to_contain_text("A command changed this flag", timeout=NOTICED_S * 1000)
    expect(page.get_by_role("textbox", name="When")).to_have_value("2099-01-01T10:00")
    expect(page.locator("#flag-state")).to_contain_text("on for 50%")
