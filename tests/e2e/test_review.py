"""What was mastered comes back after some days, and is looked at again."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.e2e.page_actions import Complaints, fill_in, open_card, right_answer, wait_for_scripts
from tests.tutoring.review_helpers import master
from tutoring.mastery import spaced_review
from tutoring.models import Review


def test_mastered_idea_is_due_days_later_and_says_when_it_comes_back_next(page: Page, url: str, learner: Any) -> None:
    card = master(learner, slug="one-half")
    page.goto(url)
    begins = page.get_by_role("button", name="Start review")
    expect(page.get_by_role("heading", name="Unit fractions")).to_be_visible()
    expect(begins).to_have_count(0)
    days_pass(card, 4)
    page.reload()
    expect(page.get_by_role("listitem").filter(has=begins)).to_contain_text("One half.")
    begins.press("Enter")
    expect(page.get_by_role("heading", name="One half")).to_be_visible()
    wait_for_scripts(page)
    fill_in(open_card(page), right_answer(open_card(page)))
    page.get_by_role("button", name="Check").press("Enter")
    expect(page.locator(".question .note")).to_be_focused()
    expect(page.locator(".question")).to_contain_text(
        "Done for today: 1 topic reviewed. Your next topic to review comes up on "
    )
    page.get_by_role("link", name="My progress").last.click()
    expect(page.get_by_role("region", name="Upcoming reviews").get_by_role("listitem")).to_contain_text("One half on ")


def test_answer_that_cannot_be_saved_just_now_stays_on_the_page(
    page: Page, url: str, learner: Any, complaints: Complaints
) -> None:
    """G3, G4: the server is not asked here, but answered for."""
    days_pass(master(learner, slug="one-half"), 4)
    page.goto(url)
    page.get_by_role("button", name="Start review").press("Enter")
    wait_for_scripts(page)
    answer = right_answer(open_card(page))
    fill_in(open_card(page), answer)
    page.route("**/learn/answers/**", lambda route: route.fulfill(status=503, headers={"Retry-After": "5"}))
    page.get_by_role("button", name="Check").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("That could not be saved right now. It is still on the page")
    page.unroute("**/learn/answers/**")
    page.get_by_role("button", name="Check").press("Enter")
    expect(page.locator(".question")).to_contain_text("Done for today")
    complaints.heard = [text for text in complaints.heard if " 503 " not in text]


def days_pass(card: Review, days: int) -> None:
    """Move a card back in time, as far as the clock would have moved on."""
    ago = timezone.now() - timedelta(days=days)
    waits = card.due_at - card.reviewed_at
    Review.objects.filter(pk=card.pk).update(
        reviewed_at=ago, due_at=ago + waits, card=dict(spaced_review.shift_card(card.card, ago))
    )
