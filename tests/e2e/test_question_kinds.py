"""Every kind of card, in a browser: by keyboard, line by line, and for those who cannot see it."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from conversations.models import Message, Session
from tests.e2e.page_actions import check, fill_in, press, question_on, right_answer
from tests.e2e.test_pages import AXE, FAULTS
from tests.tutoring.small_course import make_course, make_turn
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.loader import parse_course
from tutoring.mastery.records.progress import open_question
from tutoring.models import Course

KINDS = Path(__file__).parents[1] / "tutoring" / "courses" / "data" / "kinds"


def put(page: Page, url: str, person, template: str) -> Locator:
    """Open the conversation in which this question was asked last; return its card."""
    stored = Course.objects.filter(slug="kinds").first() or make_course("kinds")
    course, concept = parse_course(KINDS), stored.concepts.get(slug="one_half")
    turn = make_turn(person)
    question = open_question(
        learner=person, session=turn.session, turn=turn, concept=concept, purpose="quiz", number=1,
        instance=make_exercise(course.template(template), seed=3, course=course),
    )  # fmt: skip
    card = {"kind": "question", "id": str(question.pk), "at": 0}
    Message.objects.create(session=turn.session, turn=turn, author="team", agent="quiz", cards=[card])
    page.goto(url + Session.objects.get(owner=person).get_absolute_url())
    shown = page.locator(f"#question-{question.pk}")
    expect(shown).to_be_visible()
    return shown


def test_pieces_are_put_in_order_by_keyboard(page: Page, url, learner):
    card = put(page, url, learner, "p-order")
    press(page, card, "Check")
    expect(card.get_by_text("Choose a place for everything first.")).to_be_visible()
    for place, piece in enumerate(question_on(card).shown(right_answer(card)).split(", ")):
        standing = card.locator(".piece").evaluate_all("all => all.map(one => one.dataset.piece)").index(piece)
        for _ in range(standing - place):
            card.get_by_role("button", name=f"Move {piece} up").focus()
            page.keyboard.press("Enter")
    check(page, card)
    expect(card).to_have_attribute("data-state", "answered")
    expect(card.get_by_text("Right.")).to_be_visible()


def test_every_kind_has_names_and_is_answered(page: Page, url, learner):
    page.add_init_script(path=AXE)
    for template in ("p-sort", "p-order", "p-set", "p-match"):
        card = put(page, url, learner, template)
        assert page.evaluate(FAULTS) == [], template
    fill_in(card, right_answer(card))
    check(page, card)
    expect(card).to_have_attribute("data-state", "answered")
    steps = put(page, url, learner, "p-steps")
    assert page.evaluate(FAULTS) == []
    start = question_on(steps).key["answer"]["start"]
    fill_in(steps, f"{start}\n1/1000\n2/2000")
    check(page, steps)
    expect(steps.locator(".is-breaks")).to_contain_text("does not follow from the line before")
