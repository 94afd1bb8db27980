"""Text that would like to be a program stays text, wherever it is shown."""

from typing import Any

from playwright.sync_api import Page, expect

from conversations.models import Session
from tests.e2e.page_actions import begin_lesson, press, reach_question, say, turns, wait_until_said
from tutoring.models import Attempt, Question

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=https://evil.example/x onerror=alert(1)>",
    "![x](https://evil.example/?q=1)",
    "[x](javascript:alert(1))",
    "<svg onload=alert(1)><a xlink:href=javascript:alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<a href=# hx-get=https://evil.example/ hx-trigger=load>x</a>",
    "<div hx-on::load=alert(1) hx-swap-oob=true id=thread>gone</div>",
    "<style>body{background:url(https://evil.example/)}</style>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "</textarea></title><script>alert(1)</script>",
    "{{ 7|add:7 }}{% debug %}\u202e",
)
ALL = " ".join(PAYLOADS)
"""Any of them that lives asks another host, opens a dialog or breaks the content policy: every page complains."""


def assert_harmless(page: Page) -> None:
    foreign = "script:not([src]), iframe, img, style, meta[http-equiv], [onerror], [onload], [hx-on\\:\\:load]"
    expect(page.locator(foreign)).to_have_count(0)
    expect(page.locator("a[href^='javascript'], a[href*='evil.example']")).to_have_count(0)


def test_message_stays_text(page: Page, url: str, learner: Any) -> None:
    """X1, X2"""
    begin_lesson(page, url)
    say(page, ALL)
    expect(page.locator(".said")).to_have_text(ALL)
    assert_harmless(page)
    page.reload()
    wait_until_said(page)
    expect(page.locator(".said")).to_have_text(ALL)
    assert_harmless(page)


def test_quoted_message_stays_text_while_it_streams(page: Page, url: str, learner: Any) -> None:
    """X3"""
    begin_lesson(page, url)
    for payload in PAYLOADS[:4]:
        say(page, f"these two pieces are halves {payload}")
    assert_harmless(page)
    expect(turns(page)).to_have_count(5)


def test_answer_stays_text_on_its_card_and_in_the_evidence(page: Page, url: str, learner: Any) -> None:
    """X4: second order too, stored before and rendered later."""
    begin_lesson(page, url)
    card = page.locator(f"#{reach_question(page).get_attribute('id')}")
    press(page, card, "Show me")
    expect(card).to_have_attribute("data-state", "answered")
    wait_until_said(page)
    Attempt.objects.update(answer=ALL[:400], gave_up=False)
    question_kinds = Question.objects.filter(attempts__isnull=False)
    question_kinds.update(kind="text", public={"choices": [], "picture": None, "total": 4})
    page.reload()
    expect(page.locator(".yours .what")).to_have_text(ALL[:400])
    assert_harmless(page)
    page.goto(f"{url}/progress/fractions/one-half/")
    page.locator(".evidence summary").first.click()
    expect(page.locator(".why .what")).to_have_text(ALL[:400])
    assert_harmless(page)


def test_titles_stay_text(page: Page, url: str, learner: Any) -> None:
    """X5, X6"""
    session = Session.objects.create(owner=learner, key="hostile", title=ALL[:120])
    for path in (session.get_absolute_url(), "/c/", "/"):
        page.goto(url + path)
        expect(page.get_by_role("link", name="<script>alert(1)</script>").first).to_be_visible()
        assert_harmless(page)
    page.goto(url + session.get_absolute_url())
    expect(page).to_have_title(f"{session.title} · learnagent")


def test_display_name_stays_text(page: Page, url: str, learner: Any) -> None:
    """X5"""
    learner.display_name = PAYLOADS[1][:60]
    learner.save()
    for path in ("/", "/accounts/profile/"):
        page.goto(url + path)
        expect(page.locator(".me-link")).to_contain_text("<img src=https://evil.example/")
        assert_harmless(page)
