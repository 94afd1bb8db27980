"""A teacher's class in the browser."""

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import people
from tests.e2e.page_actions import goes_sideways, sign_in
from tests.e2e.test_pages import AXE, FAULTS
from tests.tutoring.class_helpers import make_class
from tests.tutoring.small_course import make_turn, numeric
from tutoring.mastery.records.contests import contest_verdict
from tutoring.mastery.records.progress import open_question, record_attempt
from tutoring.models import Attempt, Concept, Mastery

EVERY_MS = 4_000
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def teacher(url: str, ada: Any, context: BrowserContext) -> Any:
    """Grace, signed in, with Ada and Ben in her class."""
    grace = people.make_grace()
    make_class(grace, ada, people.make_ben(), conversations="everything")
    sign_in(context, grace, url)
    return grace


def answer(person: Any, template: str, text: str) -> None:
    concept = Concept.objects.select_related("course").get(slug="one-half")
    turn = make_turn(person)
    question = open_question(
        learner=person, session=turn.session, turn=turn, concept=concept, instance=numeric(template), purpose="quiz",
        number=1,
    )  # fmt: skip
    record_attempt(question, learner=person, answer=text, idempotency_key="k")


def test_board_fills_while_learners_work_and_leaves_the_reader_in_peace(
    page: Page, url: str, teacher: Any, ada: Any
) -> None:
    page.clock.install()
    page.goto(f"{url}/teach/4b/?sort=name")
    cells = page.locator("#heat-rows tr").first.locator("td")
    expect(cells.nth(1)).to_have_text("No answers yet")
    page.evaluate("window.unreloaded = true")
    link = page.get_by_role("link", name="Ada", exact=True)
    link.focus()
    for number in range(3):
        answer(ada, f"t{number}", "1/2")
    page.clock.fast_forward(EVERY_MS + 1000)
    expect(cells.nth(1)).to_contain_text("from 3 answers")
    expect(link).to_be_focused()
    assert page.evaluate("window.unreloaded")


def test_axe_finds_nothing_serious_and_nothing_goes_sideways(page: Page, url: str, teacher: Any, ada: Any) -> None:
    for number, text in enumerate(["1/2", "2", "2", "1/2"]):
        answer(ada, f"t{number}", text)
    session = ada.conversations.get()
    own = f"/teach/4b/{ada.pk}/"
    contest_verdict(Attempt.objects.filter(correct=False).first(), reason="I see two of four")
    for path in ("/", "/teach/", "/teach/4b/", "/teach/4b/misconceptions/", "/teach/4b/questions/", "/teach/4b/settings/",
                 "/teach/4b/misconceptions/part_to_part/", "/teach/4b/misconceptions/part_to_part/lesson/",
                 "/teach/4b/questions/fractions/ep-which-picture/?preview=1",
                 "/teach/4b/pupils/", "/teach/4b/pupils/import/", own, f"{own}fractions/one-half/",
                 f"{own}conversations/{session.pk}/", "/accounts/classes/"):  # fmt: skip
        page.goto(url + path)
        page.evaluate(AXE.read_text())
        for scheme, size in (("light", {"width": 1280, "height": 800}), ("dark", PHONE)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size(size)
            assert page.evaluate(FAULTS) == [], (path, scheme)
            assert not goes_sideways(page), (path, scheme)


def test_mini_lesson_is_shown_part_by_part_with_the_arrow_keys(page: Page, url: str, teacher: Any) -> None:
    page.goto(f"{url}/teach/4b/misconceptions/part_to_part/lesson/")
    parts = page.locator("[data-slide]")
    expect(parts.nth(0)).to_be_visible()
    expect(parts.nth(1)).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(parts.nth(1)).to_be_visible()
    expect(parts.nth(0)).to_be_hidden()
    page.keyboard.press("Space")
    expect(parts.nth(1).locator("details")).to_have_attribute("open", "")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-slide-place]")).to_have_text(f"1 / {parts.count()}")


def test_contested_number_exchanges_its_own_piece_of_the_page(page: Page, url: str, learner: Any) -> None:
    for number in range(3):
        answer(learner, f"t{number}", "1/2")
    page.goto(f"{url}/progress/fractions/one-half/")
    number_box = page.locator("#contest-number")
    number_box.get_by_text("That’s not right", exact=True).click()
    number_box.get_by_label("What is wrong?").fill("It is too low")
    number_box.get_by_role("button", name="Tell us it’s wrong").click()
    expect(number_box.get_by_text("It is too low")).to_be_visible()
    expect(page.locator("h1")).to_have_count(1)
    page.locator("details.evidence > summary").first.click()
    expect(page.locator("details.evidence").first).to_have_attribute("open", "")
    number_box.get_by_role("button", name="I take that back").click()
    expect(number_box.get_by_text("That’s not right", exact=True)).to_be_visible()
    expect(page.locator("h1")).to_have_count(1)
    number_box.get_by_text("That’s not right", exact=True).click()
    number_box.get_by_role("button", name="Tell us it’s wrong").click()
    number_box.get_by_role("button", name="Ask me a question").click()
    expect(page.get_by_role("link", name="Your answers")).to_be_visible()
    expect(page.locator(".card.question")).to_have_attribute("data-state", "open")


@pytest.mark.parametrize("scripting", [True, False])
def test_learner_contests_an_answer_and_the_teacher_leaves_it_out(
    browser: Browser, browser_context_args: dict[str, Any], url: str, ada: Any, scripting: bool
) -> None:
    grace = people.make_grace()
    make_class(grace, ada)
    answer(ada, "t0", "2")
    wrong = Attempt.objects.get()
    with browser.new_context(**browser_context_args, java_script_enabled=scripting) as context:
        sign_in(context, ada, url)
        page = context.new_page()
        page.goto(f"{url}/progress/fractions/one-half/?from={wrong.pk}")
        page.get_by_text("That’s not right", exact=True).click()
        page.get_by_label("What is wrong?").fill("I see two of four")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_text("A teacher can see your report.")).to_be_visible()
        expect(page.get_by_role("button", name="I take that back")).to_be_visible()
    with browser.new_context(**browser_context_args, java_script_enabled=scripting) as context:
        sign_in(context, grace, url)
        page = context.new_page()
        page.goto(url)
        page.get_by_role("link", name="See the question").click()
        expect(page.get_by_text("What part of the bar is shaded?").last).to_be_visible()
        page.get_by_role("button", name="Agree: leave this answer out").click()
        expect(page.get_by_text("A teacher agreed to leave this answer out")).to_be_visible()
    assert Mastery.objects.get().answers == 0


def test_pupils_of_a_roster_sign_in_with_their_cards(
    page: Page, url: str, teacher: Any, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    page.goto(f"{url}/teach/4b/pupils/import/")
    page.get_by_label("Or paste the list").fill("Mia Huber\nLuca Rossi")
    page.get_by_role("button", name="Show preview").click()
    page.get_by_role("button", name="Import these").click()
    page.get_by_role("button", name="Print 2 cards").click()
    expect(page.locator(".sign-in-card .qr")).to_have_count(2)
    code = page.locator(".sign-in-card", has_text="Mia Huber").locator(".card-code").inner_text()
    with browser.new_context(**browser_context_args) as context:
        pupil = context.new_page()
        pupil.goto(f"{url}/card/")
        pupil.get_by_label("Code on your card").fill(code.upper().replace("-", " "))
        pupil.get_by_role("button", name="Continue").click()
        pupil.get_by_label("New password", exact=True).fill("seven tall trees")
        pupil.get_by_label("Repeat the new password").fill("seven tall trees")
        pupil.get_by_role("button", name="Save password and sign in").click()
        expect(pupil.get_by_role("status").first).to_contain_text("mia.huber")


def test_all_pupils_are_selected_by_one_box(page: Page, url: str, teacher: Any) -> None:
    page.goto(f"{url}/teach/4b/pupils/")
    page.get_by_label("Select all on this page").check()
    page.get_by_label("Select Ben").uncheck()
    page.get_by_role("button", name="Remove from class").click()
    expect(page.get_by_role("heading", name="Remove 1 pupil from 4b?")).to_be_visible()


def test_pupil_and_teacher_write_to_each_other_without_a_pointer(
    page: Page, url: str, teacher: Any, ada: Any, browser: Browser
) -> None:
    answer(ada, "t0", "1/2")
    page.goto(f"{url}/teach/4b/{ada.pk}/")
    box = page.get_by_label("Write a message")
    box.focus()
    page.keyboard.type("Well done")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#messages .said")).to_have_text("Well done")
    own = browser.new_context(viewport=PHONE)
    sign_in(own, ada, url)
    phone = own.new_page()
    phone.goto(f"{url}/messages/4b/")
    expect(phone.locator(".said")).to_have_text("Well done")
    assert not goes_sideways(phone)
    for address in (f"{url}/teach/4b/{ada.pk}/", f"{url}/teach/4b/reports/"):
        page.set_viewport_size(PHONE)
        page.goto(address)
        assert not goes_sideways(page), address
        page.evaluate(AXE.read_text())
        assert page.evaluate(FAULTS) == [], address
    own.close()
