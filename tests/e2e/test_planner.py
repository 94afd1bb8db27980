"""The planner in a browser: dragged by mouse, moved by keyboard, on a phone, and without scripts."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.page_actions import goes_sideways, sign_in
from tests.e2e.test_pages import AXE, DARK_FAULTS, FAULTS
from tests.tutoring.planner.pages.planner_rows import add_event, add_meal, add_note, add_task
from tutoring.models import CalendarEvent, PlannerSettings, Reminder, Task

PAGES = ("", "week/", "tasks/", "meals/", "notes/", "settings/")


@pytest.fixture
def monday(learner: Any) -> datetime:
    """The beginning of Monday of this week; the learner's clock is UTC."""
    learner.zone = "UTC"
    learner.save()
    today = timezone.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=today.weekday())


@pytest.fixture
def dentist(learner: Any, monday: datetime) -> CalendarEvent:
    return add_event(learner, "Dentist", monday + timedelta(days=1, hours=14))


def entry(page: Page, title: str) -> Locator:
    return page.locator("[data-move]", has_text=title).first


def box_of(what: Locator) -> Any:
    box = what.bounding_box()
    assert box
    return box


def drag(page: Page, what: Locator, *, day: int, rows: int) -> None:
    """Drag an entry of the hours to another day, Monday being 0, and so many quarters of an hour further down."""
    box, column = box_of(what), box_of(page.locator("[data-hours]").nth(day))
    height = column["height"] / int(page.locator("[data-week]").get_attribute("data-rows") or 1)
    page.mouse.move(box["x"] + 20, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 20, steps=3)
    page.mouse.move(column["x"] + 20, box["y"] + 4 + rows * height, steps=6)
    page.mouse.up()


def told(page: Page) -> Locator:
    return page.locator(".planner-change")


def test_an_event_is_dragged_to_another_time_and_back_by_undo(
    page: Page, url: str, monday: datetime, dentist: CalendarEvent
) -> None:
    page.goto(f"{url}/planner/week/")
    drag(page, entry(page, "Dentist"), day=3, rows=6)
    expect(told(page)).to_contain_text("Dentist is now on Thursday")
    dentist.refresh_from_db()
    assert dentist.starts_at == monday + timedelta(days=3, hours=15, minutes=30)
    expect(entry(page, "Dentist")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#planner .note", has_text="Undone:")).to_be_visible()
    dentist.refresh_from_db()
    assert dentist.starts_at == monday + timedelta(days=1, hours=14)


def test_a_press_without_a_drag_opens_the_event(page: Page, url: str, dentist: CalendarEvent) -> None:
    page.goto(f"{url}/planner/week/")
    entry(page, "Dentist").click()
    expect(page.get_by_role("heading", level=1, name="Dentist")).to_be_visible()


def test_escape_leaves_a_dragged_event_where_it_was(page: Page, url: str, dentist: CalendarEvent) -> None:
    page.goto(f"{url}/planner/week/")
    box = box_of(entry(page, "Dentist"))
    page.mouse.move(box["x"] + 20, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 90, steps=4)
    expect(page.locator(".ghost")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)
    page.mouse.up()
    before = dentist.starts_at
    dentist.refresh_from_db()
    assert dentist.starts_at == before


def test_an_event_is_moved_by_keyboard_and_each_step_is_said(
    page: Page, url: str, monday: datetime, dentist: CalendarEvent
) -> None:
    page.goto(f"{url}/planner/week/")
    said = page.locator("#move-told")
    entry(page, "Dentist").focus()
    page.keyboard.press("Space")
    expect(said).to_contain_text("Moving Dentist.")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Wednesday")
    page.keyboard.press("ArrowUp")
    expect(said).to_contain_text("13:45")
    page.keyboard.press("Enter")
    expect(told(page)).to_contain_text("13:45")
    expect(entry(page, "Dentist")).to_be_focused()
    dentist.refresh_from_db()
    assert dentist.starts_at == monday + timedelta(days=2, hours=13, minutes=45)


def test_a_key_that_is_let_go_of_moves_nothing(page: Page, url: str, dentist: CalendarEvent) -> None:
    page.goto(f"{url}/planner/week/")
    entry(page, "Dentist").focus()
    for key in ("Space", "ArrowRight", "Escape"):
        page.keyboard.press(key)
    expect(page.locator("#move-told")).to_have_text("Dentist stays where it was.")
    expect(page.locator(".ghost")).to_have_count(0)


def test_of_a_recurring_event_it_is_asked_which(page: Page, url: str, learner: Any, monday: datetime) -> None:
    choir = add_event(learner, "Choir", monday + timedelta(hours=17), rule="FREQ=WEEKLY")
    page.goto(f"{url}/planner/week/")
    entry(page, "Choir").focus()
    for key in ("Space", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Move all of them").click()
    expect(told(page)).to_contain_text("Choir is now on Tuesday")
    choir.refresh_from_db()
    assert choir.starts_at == monday + timedelta(days=1, hours=17)


def test_a_task_is_dragged_to_a_time(page: Page, url: str, learner: Any, monday: datetime) -> None:
    task = add_task(learner, "Sheet 6", due_on=monday.date())
    page.goto(f"{url}/planner/week/")
    box, column = box_of(entry(page, "Sheet 6")), box_of(page.locator("[data-hours]").nth(2))
    page.mouse.move(box["x"] + 10, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(column["x"] + 30, column["y"] + 30, steps=4)
    page.mouse.move(column["x"] + 30, column["y"] + column["height"] / 2, steps=4)
    page.mouse.up()
    expect(told(page)).to_contain_text("Sheet 6 is now due")
    task.refresh_from_db()
    assert task.due_on == monday.date() + timedelta(days=2)
    assert task.due_at is not None


def test_a_task_is_added_ticked_and_changed_in_its_place(page: Page, url: str, learner: Any, monday: datetime) -> None:
    page.goto(f"{url}/planner/tasks/")
    page.get_by_label("Add a task").fill("Sheet 6")
    page.keyboard.press("Enter")
    expect(told(page)).to_contain_text("Added to your tasks: Sheet 6.")
    page.get_by_role("link", name="Change Sheet 6").click()
    page.get_by_label("What is to be done?").fill("Sheet 7")
    page.get_by_role("button", name="Save").click()
    expect(told(page)).to_contain_text("Changed: Sheet 7.")
    tick = page.get_by_role("button", name="Done: Sheet 7")
    tick.click()
    expect(told(page)).to_contain_text("Done: Sheet 7.")
    expect(tick).to_have_attribute("aria-pressed", "true")
    expect(tick).to_be_focused()
    assert Task.objects.get().done_at is not None


def test_a_reminder_is_shown_on_a_page_that_is_open_and_closed_there(
    page: Page, url: str, learner: Any, monday: datetime
) -> None:
    now = timezone.now()
    task = add_task(learner, "Bring the ruler", remind_at=now, reminded_at=now)
    Reminder.objects.create(owner=learner, workspace=task.workspace, task=task, at=now, made_at=now)
    page.goto(f"{url}/learn/")
    notice = page.locator(".reminder-place")
    expect(notice).to_contain_text("Bring the ruler")
    notice.get_by_role("button", name="Got it").click()
    expect(notice).to_be_empty()
    assert Reminder.objects.get().seen_at is not None


@pytest.fixture
def filled(learner: Any, monday: datetime) -> None:
    """A planner with something on each page."""
    now = timezone.now()
    for title in ("Choir", "Swim"):
        add_event(learner, title, monday + timedelta(days=2, hours=17), rule="FREQ=WEEKLY")
    add_event(learner, "Fractions test", monday + timedelta(days=4), hours=24, kind="test", is_all_day=True)
    add_event(learner, "Now", now, kind="study")
    poster = add_task(learner, "Poster", due_on=now.date(), priority=3)
    add_task(learner, "Print", parent=poster)
    add_task(learner, "Late", due_on=now.date() - timedelta(days=9), kind="homework")
    add_task(learner, "Ready", done_at=now)
    add_meal(learner, "pasta", "salad", eaten_at=now, rating=4, tags=["quick"])
    add_note(learner, "My locker code is on the blue card.")
    PlannerSettings.objects.create(owner=learner, feed_key="a" * 32)
    Reminder.objects.create(owner=learner, workspace=poster.workspace, task=poster, at=now, made_at=now)
    Task.objects.filter(pk=poster.pk).update(remind_at=now)


@pytest.mark.parametrize("state", ["filled", "empty"])
def test_pages_are_usable_with_a_screen_reader_and_as_wide_as_the_window(
    page: Page, url: str, learner: Any, monday: datetime, state: str, request: pytest.FixtureRequest
) -> None:
    if state == "filled":
        request.getfixturevalue("filled")
    own = [f"events/{event.pk}/" for event in CalendarEvent.objects.all()[:1]]
    own += [f"tasks/{task.pk}/" for task in Task.objects.all()[:1]]
    for path in (*PAGES, *own):
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 860})
        page.goto(f"{url}/planner/{path}")
        page.evaluate(AXE.read_text())
        assert page.evaluate(FAULTS) == [], path
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(DARK_FAULTS) == [], path
        for width in (1280, 900, 640, 390, 320):
            page.set_viewport_size({"width": width, "height": 800})
            assert not goes_sideways(page), (path, width)


@pytest.fixture
def phone(browser: Browser, browser_context_args: dict[str, Any], url: str, learner: Any) -> Iterator[Page]:
    size = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with browser.new_context(**browser_context_args | size) as context:
        sign_in(context, learner, url)
        yield context.new_page()


def test_a_phone_shows_the_days_as_a_list_with_their_times(phone: Page, url: str, filled: None) -> None:
    phone.goto(f"{url}/planner/week/")
    days = phone.locator("[data-day]")
    tops = [box_of(days.nth(number))["y"] for number in range(7)]
    assert tops == sorted(tops)
    assert len(set(tops)) == 7
    expect(days.nth(2).get_by_text("At the same time as Swim")).to_be_visible()
    expect(phone.locator(".hour-labels")).to_be_hidden()
    phone.get_by_role("navigation", name="Days").get_by_role("link").nth(6).click()
    expect(days.nth(6)).to_be_in_viewport()


@pytest.fixture
def without_scripts(browser: Browser, browser_context_args: dict[str, Any], url: str, learner: Any) -> Iterator[Page]:
    with browser.new_context(**browser_context_args | {"java_script_enabled": False}) as context:
        sign_in(context, learner, url)
        yield context.new_page()


def test_everything_works_without_scripts(
    without_scripts: Page, url: str, monday: datetime, dentist: CalendarEvent
) -> None:
    page = without_scripts
    page.goto(f"{url}/planner/week/")
    page.get_by_label("Add something").fill("football every Tuesday at five")
    page.get_by_role("button", name="Add").click()
    expect(told(page)).to_contain_text("Added to your calendar: Football, every Tuesday at 17:00.")
    page.get_by_role("link", name="Dentist").click()
    page.get_by_label("From").fill("09:00")
    page.get_by_label("To", exact=True).fill("10:00")
    page.get_by_role("button", name="Move").click()
    expect(told(page)).to_contain_text("Dentist is now on Tuesday")
    dentist.refresh_from_db()
    assert dentist.starts_at == monday + timedelta(days=1, hours=9)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#planner .note", has_text="Undone:")).to_be_visible()


def test_the_week_prints_without_what_is_to_be_pressed(page: Page, url: str, filled: None) -> None:
    page.goto(f"{url}/planner/week/")
    page.emulate_media(media="print")
    for gone in (".planner-tabs", ".quick-add", ".side", ".planner-reminders"):
        expect(page.locator(gone).first).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".slot", has_text="Choir").first).to_be_visible()
