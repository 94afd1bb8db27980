"""From a goal to the first lesson in the browser: placed, stopped, shown the path, begun."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.page_actions import (
    fill_in,
    goes_sideways,
    open_card,
    press,
    right_answer,
    say,
    turns,
    wait_until_said,
)
from tutoring.models import DiagnosticResult, Goal


def test_goal_is_placed_and_leads_along_a_path_to_a_lesson(page: Page, url: str, learner: Any) -> None:
    page.goto(f"{url}/talk/")
    page.get_by_role("textbox").first.fill("add fractions with different denominators")
    page.get_by_role("textbox").first.press("Enter")
    expect(turns(page)).to_have_count(1)
    wait_until_said(page)
    card = open_card(page)
    expect(card).to_contain_text("question 1 of up to 12")
    expect(card.get_by_role("button", name="Hint")).to_have_count(0)
    fill_in(card, right_answer(card))
    press(page, card, "Answer")
    expect(turns(page)).to_have_count(2)
    wait_until_said(page)
    answered = page.locator(".question[data-state=answered]")
    expect(answered).to_contain_text("Noted.")
    expect(answered.locator(".prose")).to_have_count(1)  # The question, and no solution.
    open_card(page).get_by_role("button", name="I know this", exact=True).click()
    expect(turns(page)).to_have_count(3)
    wait_until_said(page)
    expect(open_card(page)).to_contain_text("question 3 of up to 12 · a short check of what you know")
    open_card(page).get_by_role("button", name="I don’t know this").click()
    expect(turns(page)).to_have_count(4)
    wait_until_said(page)
    page.reload()
    expect(open_card(page)).to_contain_text("question 4 of up to 12")
    page.get_by_role("button", name="No more questions").click()
    expect(turns(page)).to_have_count(5)
    wait_until_said(page)
    expect(open_card(page)).to_have_count(0)
    path = page.get_by_role("region", name="Your path")
    expect(path.locator("[aria-current=step]")).to_contain_text("next")
    expect(path.get_by_role("listitem").last).to_contain_text("goal")
    assert not goes_sideways(page)
    page.locator("#bar").get_by_role("button", name="Let’s start").click()
    expect(turns(page)).to_have_count(6)
    wait_until_said(page)
    expect(page.locator(".step[data-current] .question[data-state=open]")).to_be_visible()
    expect(page.get_by_text("Step 1 of about").first).to_be_visible()
    say(page, "what's next?")
    expect(turns(page).last.get_by_role("region", name="Your path").get_by_role("listitem").last).to_contain_text(
        "goal"
    )
    expect(open_card(page)).to_be_visible()
    assert DiagnosticResult.objects.get().ended == "stopped"
    assert Goal.objects.get().reached_at is None
