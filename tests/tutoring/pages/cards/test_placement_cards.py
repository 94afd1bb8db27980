"""Cards of a placement: asked without hints, noted without a verdict; and the path that it leads to."""

from pathlib import Path

import pytest
from django.template.loader import render_to_string

from conversations.models import Message
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.views.test_answers import post, shown
from tests.tutoring.small_course import ask
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.sample_answers import right_answers, wrong_answer
from tutoring.courses.files.loader import parse_course
from tutoring.mastery.placement import MAX_QUESTIONS
from tutoring.models import Question
from tutoring.pages.cards.question_context import question_context
from tutoring.pages.cards.rendering import paths_html

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]

COURSE = parse_course(Path(__file__).parents[2] / "courses" / "data" / "kinds")


def put(person, template: str) -> Question:
    return ask(person, make_exercise(COURSE.template(template), seed=3, course=COURSE), purpose="placement", number=2)


def fields(answer: str) -> dict[str, str]:
    if "=" in answer:
        return {f"row-{letter}": option for letter, _, option in (pair.partition("=") for pair in answer.split())}
    return {"answer": answer}


def card(question: Question) -> str:
    question.refresh_from_db()
    return render_to_string("tutoring/question.html", {"question": question_context(question)})


def test_open_question_says_how_many_may_come_and_offers_no_hint(ada):
    page = card(put(ada, "p-set"))
    assert f"question 2 of up to {MAX_QUESTIONS}" in page
    assert all(f">{words}</button>" in page for words in ("Answer", "I know this", "I don’t know this"))
    assert "Hint" not in page
    assert "hints used" not in page


def test_known_is_said_once_in_the_conversation_and_leaves_the_card_to_the_team(ada):
    question = put(ada, "p-set")
    turns = [post(ada, question, action="known", idempotency_key="k1")[1] for _ in range(2)]
    assert turns[0] == turns[1]
    assert Message.objects.get(author="learner").text == "I know this"
    assert not question.attempts.exists()


@pytest.mark.parametrize("purpose", ["quiz", "practice"])
def test_known_is_for_a_placement_only(ada, purpose):
    question = ask(ada, make_exercise(COURSE.template("p-set"), seed=3, course=COURSE), purpose=purpose)
    response, turn = post(ada, question, action="known")
    assert (response.status_code, turn) == (422, None)
    assert not question.attempts.exists()


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("template", ["p-set", "p-match", "p-sort"])
def test_answer_is_noted_and_neither_judged_nor_solved(ada, template, solved):
    question = put(ada, template)
    made = question.instance()
    response, _ = post(ada, question, **fields(right_answers(made)[0] if solved else wrong_answer(made)))
    for page in (shown(response), card(question)):
        assert "Noted." in page
        assert 'data-state="answered"' in page
        assert not any(
            word in page for word in ("Right.", "Not yet", "is-right", "you chose", "this is a right answer")
        )
        assert not any(line in page for line in question.key["solution"])


def test_path_tells_what_looks_known_in_a_line_and_the_rest_in_steps():
    step = {"ready": True, "is_next": False, "is_goal": False, "least": 3, "most": 5, "url": "/learn/c/x/"}
    steps = [
        {**step, "concept": "a", "title": "Halves", "kind": "check"},
        {**step, "concept": "b", "title": "Thirds", "kind": "learn", "is_next": True, "minutes": 8},
        {**step, "concept": "c", "title": "Sums", "kind": "check", "is_goal": True},
    ]
    card = {"id": "1", "known": [], "map_url": "/learn/c/", "steps": steps}
    page = paths_html([card], None, None)["1"]
    line, _, listed = page.partition("<ol")
    assert "Halves" in line
    assert "Halves" not in listed
    assert listed.index("Thirds") < listed.index("Sums")
    assert "about 8 minutes" in listed
