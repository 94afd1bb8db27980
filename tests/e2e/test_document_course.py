"""From a document in the library to the first question of a course of one's own, by the keyboard and the mouse."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from conversations.library import reading_jobs
from tests.tutoring.document_courses.document_helpers import TEXT
from tutoring.document_courses.jobs import draft_course
from tutoring.models import DocumentCourse


def test_a_document_becomes_a_course(page: Page, url: str, learner: Any, tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    file = tmp_path / "memory.md"
    file.write_text(TEXT)
    page.goto(f"{url}/library/")
    page.set_input_files("#files", file)
    expect(page.get_by_role("link", name="memory.md").first).to_be_visible()
    reading_jobs.read_all()
    page.goto(f"{url}/library/")
    page.get_by_role("link", name="memory.md").first.click()
    page.get_by_role("button", name="Learn from this").click()
    expect(page.get_by_role("heading", name="Your course is being made")).to_be_visible()
    draft_course.call(DocumentCourse.objects.get().pk)
    start = page.get_by_role("button", name="Start learning").first
    expect(start).to_be_visible()  # The page asks by itself.
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    start.click()
    expect(page.get_by_text("Only you can see this course.")).to_be_visible()
    page.goto(f"{url}/")
    expect(page.get_by_role("link", name="Memory and learning").first).to_be_visible()
