"""Questions about programs, in a browser: a field that indents, lines that move and indent, and a button that runs."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from conversations.models import Message, Session
from tests.e2e.page_actions import check, press, turns, wait_until_said
from tests.e2e.test_pages import AXE, FAULTS
from tests.tutoring.small_course import make_course, make_turn
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.loader import parse_course
from tutoring.mastery.records.progress import open_question
from tutoring.models import Course

COURSE = parse_course(Path(__file__).parents[1] / "tutoring" / "courses" / "data" / "programs")


def put(page: Page, url: str, person, template: str) -> Locator:
    """Open the conversation in which this question was asked last; return its card."""
    stored = Course.objects.filter(slug="kinds").first() or make_course("kinds")
    turn = make_turn(person)
    question = open_question(
        learner=person, session=turn.session, turn=turn, concept=stored.concepts.get(slug="one_half"), purpose="quiz",
        number=1, instance=make_exercise(COURSE.template(template), seed=3, course=COURSE),
    )  # fmt: skip
    card = {"kind": "question", "id": str(question.pk), "at": 0}
    Message.objects.create(session=turn.session, turn=turn, author="team", agent="quiz", cards=[card])
    page.goto(url + Session.objects.get(owner=person).get_absolute_url())
    shown = page.locator(f"#question-{question.pk}")
    expect(shown).to_be_visible()
    page.wait_for_load_state("networkidle")  # The card's own script is loaded with the first card.
    return shown


def test_program_is_written_run_and_checked_by_keyboard(page: Page, url, learner):
    page.add_init_script(path=AXE)
    card = put(page, url, learner, "fn-s-code")
    assert page.evaluate(FAULTS) == []
    field = card.locator("[data-code]")
    expect(field).to_have_value("def double(n):\n    ...")
    field.press("ControlOrMeta+a")
    field.press("Delete")
    page.keyboard.type("def double(n):\nif n:\nreturn 2 *n\nreturn 0\n")
    expect(field).to_have_value("def double(n):\n    if n:\n        return 2 *n\n    return 0\n")
    page.keyboard.type("print(double(3))")
    field.press("Home")
    field.press("Tab")
    expect(field).to_have_value("def double(n):\n    if n:\n        return 2 *n\n    return 0\n    print(double(3))")
    field.press("Shift+Tab")
    field.press("Escape")
    field.press("Tab")
    expect(card.get_by_role("button", name="Run")).to_be_focused()
    page.keyboard.press("Enter")
    expect(card.locator(".ran")).to_contain_text("6")
    check(page, card)
    expect(card).to_have_attribute("data-state", "answered")
    expect(card.locator(".yours code")).to_contain_text("def double(n):")


def test_undo_takes_back_an_indentation(page: Page, url, learner):
    field = put(page, url, learner, "fn-s-code").locator("[data-code]")
    field.press("ControlOrMeta+a")
    field.press("Tab")
    expect(field).to_have_value("    def double(n):\n        ...")
    field.press("ControlOrMeta+z")
    expect(field).to_have_value("def double(n):\n    ...")


def test_lines_are_ordered_indented_and_left_out_by_keyboard(page: Page, url, learner):
    page.add_init_script(path=AXE)
    card = put(page, url, learner, "fn-s-lines")
    assert page.evaluate(FAULTS) == []

    def move(line: str, name: str) -> None:
        button = card.get_by_role("button", name=name.replace("it", line), exact=True)
        button.focus()
        page.keyboard.press("Enter")

    def standing() -> list[str]:
        return card.locator("[data-arrange] > li").evaluate_all("all => all.map(one => one.dataset.piece ?? '')")

    wanted = ["def double(n):", "return 2 * n", "print(double(3))", "", "print(2 * n)"]
    while standing().index("print(2 * n)") < len(wanted) - 1:
        move("print(2 * n)", "Move it down")
    for place, line in enumerate(wanted[:3]):
        while standing().index(line) > place:
            move(line, "Move it up")
    assert standing() == wanted
    press(page, card, "Check")
    expect(card.get_by_text("Look at how far line 2 is indented.")).to_be_visible()
    expect(turns(page)).to_have_count(2)
    wait_until_said(page)  # The reply brings the card again.
    assert standing() == wanted
    move("return 2 * n", "Indent it more")
    expect(card.locator("[data-arranged]")).to_have_text("return 2 * n: level 1.")
    check(page, card)
    expect(card).to_have_attribute("data-state", "answered")


def test_lines_are_dragged_to_their_place_and_level(page: Page, url, learner):
    card = put(page, url, learner, "fn-s-lines")
    piece, first = card.locator('[data-piece="return 2 * n"]'), card.locator("[data-arrange] > li").first
    box, top = piece.bounding_box(), first.bounding_box()
    assert box
    assert top
    page.mouse.move(box["x"] + 60, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] - 10, steps=4)
    page.mouse.move(top["x"] + 60 + 56, top["y"] + 4, steps=8)
    page.mouse.up()
    expect(card.locator("[data-arrange] > li").first).to_have_attribute("data-piece", "return 2 * n")
    expect(piece).to_have_attribute("data-level", "2")


def test_output_is_written_line_by_line(page: Page, url, learner):
    page.add_init_script(path=AXE)
    card = put(page, url, learner, "fn-s-trace")
    assert page.evaluate(FAULTS) == []
    field = card.get_by_label("What the program prints")
    field.press_sequentially("5")
    field.press("Enter")
    field.press_sequentially("1")
    check(page, card)
    expect(card).to_have_attribute("data-state", "answered")
