"""A lesson in the browser: from the explanation through the quiz to mastery."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.page_actions import (
    begin_lesson,
    check,
    fill_in,
    go_on,
    message_box,
    open_card,
    open_how_it_works,
    press,
    press_and_wait,
    question_on,
    reach_question,
    right_answer,
    say,
    turns,
    wait_until_said,
)

QUESTIONS_AT_MOST = 20
TABS_AT_MOST = 60


def test_misconception_is_answered_with_its_contrast_case(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    say(page, "yes, because there are two pieces")
    expect(turns(page).last).to_contain_text("yes, because there are two pieces")
    expect(turns(page).last).to_contain_text("I take the long piece, and you get the short one.")
    expect(turns(page).last.locator(".picture svg")).to_be_visible()
    expect(page.locator(".finding.is-misconception")).to_contain_text("because there are two pieces")
    expect(page.locator(".is-misconception .finding-course")).to_contain_text("turn 2 noticed, tested")
    say(page, "no yours is bigger, they have to be the same size")
    expect(turns(page).last).to_contain_text("two pieces of different sizes are not halves")
    expect(page.locator(".is-misconception")).not_to_contain_text("corrected")  # That takes an answer as well.


def test_finding_can_be_contested(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    say(page, "these two pieces are halves")
    open_how_it_works(page)
    page.locator("#noticed").get_by_role("button", name="That’s not right").click()
    expect(page.locator("#noticed")).to_contain_text("You said this is not right")
    expect(page.locator(".htmx-settling")).to_have_count(0)  # Pressed within 20 ms, the form goes without htmx.
    page.locator("#noticed").get_by_role("button", name="This was right after all").press("Enter")
    expect(page.locator("#noticed").get_by_role("button", name="That’s not right")).to_be_focused()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="My goal").click()
    page.get_by_role("link", name="turn 2").click()
    expect(page.locator("#rail")).to_be_hidden()
    expect(page.locator(".turn:target")).to_be_in_viewport()


def test_how_it_goes_is_said_in_one_tap_and_taken_back(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    pace = page.locator("#pace")
    pace.get_by_role("button", name="Hard to follow").click()
    expect(pace).to_contain_text("You said “Hard to follow”. Until ")
    expect(pace.get_by_role("button", name="Hard to follow", pressed=True)).to_be_focused()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="This conversation").click()
    page.locator("#pace-menu").get_by_role("button", name="Undo").click()
    expect(page.locator("#pace-menu")).not_to_contain_text("the lesson relies on this more")


def test_mastery_is_reached_by_keyboard_alone(page: Page, url: str, learner: Any) -> None:
    page.goto(url)
    for name in ("Learn", "Fractions", "One half"):
        tab_to(page, page.get_by_role("link", name=name, exact=True).last).press("Enter")
    expect(turns(page)).to_have_count(1)
    wait_until_said(page)
    answer_by_keyboard(page, open_card(page))
    say_by_keyboard(page, "quiz me")
    for _ in range(QUESTIONS_AT_MOST):
        if page.locator("#mastery .mastery-mastered").count():
            break
        if open_card(page).count():
            answer_by_keyboard(page, open_card(page))
        else:
            count = turns(page).count()
            tab_to(page, page.locator("#bar .primary")).press("Enter")
            expect(turns(page)).to_have_count(count + 1)
            wait_until_said(page)
    expect(page.locator("#mastery")).to_contain_text("You can do it")
    tab_to(page, page.get_by_role("link", name="Why?")).press("Enter")
    expect(page.get_by_role("heading", name="Your answers, newest first")).to_be_visible()


def test_answer_typed_beside_its_card_closes_the_card(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    card = reach_numeric_question(page)
    key = card.get_attribute("id")
    say(page, right_answer(card))
    expect(page.locator(f"#{key}")).to_have_attribute("data-state", "answered")
    expect(page.locator(f"#{key}")).to_contain_text("Right.")


def test_question_beside_the_quiz_leaves_its_card_open_and_shows_it_once(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    card = reach_numeric_question(page)
    waiting = card.get_attribute("id")
    say(page, "what is the number below the line?")
    wait_until_said(page)
    expect(page.locator(f"#{waiting}")).to_have_count(1)
    expect(page.locator(".question[data-state=open]")).to_have_attribute("id", waiting or "")
    fill_in(card, "997")
    check(page, card)
    assert question_on(card).attempts.count() == 1


def test_unreadable_answer_is_a_free_retry_with_the_text_kept(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    card = reach_numeric_question(page)
    card.locator("[name=answer]").fill("bananas")
    press(page, card, "Check")
    expect(card.locator(".error")).to_be_visible()
    field = card.locator("[name=answer]")
    expect(field).to_have_value("bananas")
    expect(field).to_be_focused()
    assert not question_on(card).attempts.exists()


def test_reader_of_a_long_question_is_not_led_back_to_its_top(page: Page, url: str, learner: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 420})
    begin_lesson(page, url)
    reach_question(page)
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    place = page.evaluate("scrollY")
    page.evaluate("document.dispatchEvent(new Event('htmx:wsAfterMessage'))")
    assert page.evaluate("scrollY") == place > 0


def test_hint_follows_a_try_and_the_card_follows_the_next_reply(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    card = reach_numeric_question(page)
    fill_in(card, "997")
    check(page, card)
    if not question_on(card).hints_used:
        press(page, card, "I’m stuck")
        expect(card.locator(".hints li").last).to_be_focused()
    expect(card.locator(".rungs")).to_have_attribute("aria-label", "1 of 5 hints used")

    key, field = card.get_attribute("id"), card.locator(".answer [name=answer]")
    other = page.context.new_page()
    other.goto(page.url)
    half_typed = other.locator(f"#{key} .answer [name=answer]")
    half_typed.fill("1/")
    field.fill("996")
    field.press("Enter")
    for tab, place in ((page, page.locator(f"#{key} .note")), (other, half_typed)):
        expect(tab.locator(f"#{key} .note")).to_be_visible()
        expect(tab.locator(f"#{key}")).to_have_count(1)
        expect(place).to_be_focused()
        expect(place).to_be_in_viewport(ratio=1)
    expect(half_typed).to_have_value("1/")


def test_giving_up_shows_the_way_and_goes_on(page: Page, url: str, learner: Any) -> None:
    begin_lesson(page, url)
    card = reach_question(page)
    key = card.get_attribute("id")
    press_and_wait(page, card, "Show me")
    expect(page.locator(f"#{key}")).to_contain_text("That’s okay. Here is one way to do it.")
    expect(page.locator(f"#{key} .note")).to_be_focused()
    go_on(page)
    expect(open_card(page)).to_be_visible()
    assert open_card(page).get_attribute("id") != key


def reach_numeric_question(page: Page) -> Locator:
    """Answer the quiz's questions until one asks for a number."""
    card = reach_question(page)
    for _ in range(QUESTIONS_AT_MOST):
        if question_on(card).kind == "numeric":
            break
        fill_in(card, right_answer(card))
        check(page, card)
        wait_until_said(page)
        if not open_card(page).count():  # The reason is asked for first.
            card = reach_question(page)
    return card.page.locator(f"#{card.get_attribute('id')}")


def answer_by_keyboard(page: Page, card: Locator) -> None:
    answer = right_answer(card)
    kind = question_on(card).kind
    count = turns(page).count()
    if kind == "multi":
        for letter in answer.replace(",", " ").split():
            tab_to(page, card.locator(f"[value={letter}]")).press("Space")
    elif kind == "choice":
        tab_to(page, card.locator("[type=radio]").first)
        page.keyboard.press("Space")
        for _ in range(ord(answer) - ord("A")):
            page.keyboard.press("ArrowDown")
    elif card.locator("[data-manipulative], select").count():  # Their keys have tests of their own.
        fill_in(card, answer)
    else:
        tab_to(page, card.locator("[name=answer]"))
        page.keyboard.type(answer)
    bar = page.locator("#bar")
    tab_to(page, bar.get_by_role("button", name="Check", exact=True)).press("Enter")
    expect(turns(page)).to_have_count(count + 1)
    wait_until_said(page)
    following = bar.get_by_role("button", name="Next", exact=True)
    if following.count():
        tab_to(page, following).press("Enter")


def say_by_keyboard(page: Page, text: str) -> None:
    count = turns(page).count()
    tab_to(page, message_box(page))
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(count + 1)
    wait_until_said(page)


def tab_to(page: Page, place: Locator) -> Locator:
    """Press Tab until the focus is on the place; round the page once at most."""
    for _ in range(TABS_AT_MOST):
        if place.evaluate("place => place === document.activeElement"):
            return place
        page.keyboard.press("Tab")
    raise AssertionError(f"{place} is not reached by Tab")
