"""A teacher chooses files to import."""

from typing import Any

from playwright.sync_api import BrowserContext, FilePayload, Page, expect

from tests import people
from tests.e2e.page_actions import sign_in


def files(count: int, size: int) -> list[FilePayload]:
    return [{"name": f"{number}.gift", "mimeType": "text/plain", "buffer": b"x" * size} for number in range(count)]


def test_too_many_or_too_large_files_are_told_before_they_are_sent(
    page: Page, url: str, context: BrowserContext, db: Any
) -> None:
    sign_in(context, people.make_grace(), url)
    page.goto(f"{url}/teach/courses/import/")
    page.get_by_label("Title of the course").fill("Plants")
    chosen = page.get_by_label("Files")
    chosen.set_input_files(files(51, 1))
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("more than 50 files")
    chosen.set_input_files(files(2, 6 << 20))
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("larger than 10 MB in total")
    page.get_by_role("button", name="Show preview").click()
    expect(page.get_by_label("Title of the course")).to_have_value("Plants")
    chosen.set_input_files(files(3, 1))
    expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Show preview").click()
    expect(page.get_by_role("main")).to_contain_text("A course needs at least 3 questions")
