"""Files on their way: into the library, and with a message."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from conversations.library import reading_jobs
from conversations.models import Document
from tests.e2e.page_actions import begin_lesson, goes_sideways, message_box, open_message_box, say, turns

NOTES: FilePayload = {
    "name": "<img src=x onerror=alert(1)> notes.md",
    "mimeType": "text/html",
    "buffer": b"# Halves\n\nA half is one of two equal parts.\n\n## Why\n\nUnequal pieces are not halves.",
}


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    settings.UPLOADS = settings.UPLOADS | {"file_bytes": 1 << 20}


def test_a_file_is_added_read_and_opened_at_a_place(page: Page, url: str, learner: Any) -> None:
    """X1"""
    page.goto(f"{url}/library/")
    others: list[FilePayload] = [{**NOTES, "name": f"{number}.md", "buffer": b"# %d" % number} for number in range(3)]
    page.locator("#files").set_input_files([NOTES, *others, {**NOTES, "name": "large.txt", "buffer": b"x" * 1_500_000}])
    expect(page.locator("#uploads")).to_contain_text("Added")
    expect(page.locator("#uploads .is-refused")).to_contain_text("up to 1 MB")
    expect(page.locator("#documents li")).to_have_count(4)
    expect(page.locator("#documents")).to_contain_text("Waiting to be read")
    reading_jobs.read_all()
    expect(page.locator("#documents")).to_contain_text("2 sections")
    page.get_by_role("searchbox").fill("unequal pieces")
    page.get_by_role("searchbox").press("Enter")
    page.locator(".hits a").first.click()
    expect(page.locator(":target")).to_have_text("Unequal pieces are not halves.")
    assert not goes_sideways(page)


def test_a_document_read_while_the_list_is_fetched_is_shown_as_read(page: Page, url: str, learner: Any) -> None:
    def read_meanwhile(route: Route) -> None:
        listed = route.fetch()
        reading_jobs.read_all()
        route.fulfill(response=listed)

    page.goto(f"{url}/library/")
    page.route(
        f"{url}/library/", lambda route: read_meanwhile(route) if route.request.method == "GET" else route.continue_()
    )
    page.locator("#files").set_input_files([NOTES])
    expect(page.locator("#documents")).to_contain_text("2 sections")


def test_a_file_goes_with_a_message(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    open_message_box(page)
    message_box(page).focus()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add a file").click()
    chooser.value.set_files([NOTES, {**NOTES, "name": "other.md", "buffer": b"# Other"}])
    lines = page.locator("#uploads li[data-id]")
    expect(lines).to_have_count(2)
    lines.last.get_by_role("button", name="Remove").click()
    message_box(page).press("Enter")
    expect(turns(page)).to_have_count(1)
    say(page, "what of this?")
    expect(lines).to_have_count(0)
    expect(page.locator(".attached")).to_contain_text("notes.md")
    expect(page.locator(".attached li")).to_have_count(1)
    page.locator(".attached a").click()
    expect(page.get_by_role("button", name="Keep in my library")).to_be_visible()
    assert Document.objects.filter(session__isnull=False).count() == 1
