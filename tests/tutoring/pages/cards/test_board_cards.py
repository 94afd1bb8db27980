"""Cards that are answered on a board: the form without JavaScript, feedback, what stays, what a closed card shows."""

import json
import re
from html import unescape

import pytest

from conversations.models import Message, Turn
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.cards.test_question_kinds import put
from tests.tutoring.pages.views.test_answers import post, post_json, shown
from tutoring.courses.exercises.sample_answers import right_answers, wrong_answer
from tutoring.mastery.records.progress import take_hint
from tutoring.models import Attempt, Question
from tutoring.pages.cards.feedback import repeated_text
from tutoring.pages.cards.question_context import question_context
from tutoring.pages.cards.texts import questions_text
from tutoring.roles.wording.unreadable_answers import unreadable_reason

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]

BOARDS = ("p-shade", "p-shade-grid", "p-cut", "p-place", "p-build", "p-share", "p-combine", "p-take-away")


def form_of(question: Question, answer: str) -> dict[str, object]:
    """Return an answer in the fields of the form without JavaScript."""
    match question.kind:
        case "shade":
            return {"part": answer.split(",")}
        case "build":
            pieces = answer.split(",")
            return {f"piece-{piece}": str(pieces.count(piece)) for piece in question.public["board"]["pieces"]}
        case "share":
            return {f"row-{letter}": count for letter, count in (pair.split("=") for pair in answer.split())}
        case "combine":
            first, parts, second, _, result, _ = re.findall(r"\d+", answer)
            counts = {"parts": parts, "first": first, "second": second, "result": result}
            sign = question.public["board"]["sign"]
            return {"combine-sign": sign, **{f"combine-{name}": value for name, value in counts.items()}}
        case _:
            return {"answer": answer}


@pytest.mark.parametrize("template", BOARDS)
def test_right_construction_in_the_form_closes_the_card(ada, template):
    question = put(ada, template)
    (right,) = right_answers(question.instance())
    response, turn_id = post(ada, question, **form_of(question, right))
    page = shown(response)
    assert Attempt.objects.get().answer == right
    assert 'data-state="answered"' in page
    assert "<svg" in page
    assert "<input" not in page.split("manipulative is-still")[1].split("</svg>")[0]
    told = question.shown(right)
    assert told != right or question.kind == "combine"
    assert unescape(page).count(told) >= 1
    assert Message.objects.get(turn=turn_id, author="learner").text == told


@pytest.mark.parametrize("template", BOARDS)
def test_wrong_construction_stays_on_the_open_board_and_tells_nothing(ada, template):
    question = put(ada, template)
    wrong, (right,) = wrong_answer(question.instance()), right_answers(question.instance())
    response, _ = post(ada, question, answer=wrong)
    page = unescape(shown(response))
    assert 'data-state="open"' in page
    assert f'data-state="{wrong}"' in page
    assert right not in page or question.kind == "place"  # Its question names the place.
    feedback = question_context(question)["feedback"]
    assert isinstance(feedback, dict)
    assert feedback["text"]
    assert right not in feedback["text"]
    Turn.objects.update(status="done")
    post(ada, question, answer=wrong, idempotency_key="k2")
    again = question_context(question)["feedback"]
    assert isinstance(again, dict)
    assert again["text"] == repeated_text(question.attempts.latest("number"), question)
    assert again["text"] != feedback["text"]


@pytest.mark.parametrize(
    ("template", "answer", "told"),
    [
        ("p-shade", "1", "You have shaded 1 of 5 parts."),
        ("p-cut", "1/4,1/2,4/5", "You have 4 parts. They are not the same size yet: part C is longer than part D."),
        ("p-cut", "1/2", "You have 2 parts, but how many does the question ask for?"),
        ("p-place", "1/4", "Count the steps to your point: it is at 1/4."),
        ("p-build", "1/3,1/6", "Your pieces reach 1/2, but how far should they go?"),
        ("p-build-one-size", "1/2,1/6", "The length is right, but the pieces are not all the same size."),
        ("p-share", "A=4 B=2", "Person A gets more than person B."),
        ("p-share", "A=2 B=2", "Everybody gets the same, but this much is left over: 1. Share that too."),
        ("p-take-away", "1/6", "You can’t make 3/4 out of parts that are 1/6 each. Try a different number of parts."),
        ("p-take-away", "2/4-1/4=1/4", "Look at both bars again: how many of the new parts are shaded in each?"),
        ("p-take-away", "3/4-2/4=2/4", "Both bars now have parts of the same size. You have 3/4 − 2/4 = 2/4. Count the shaded parts again."),
    ],
)  # fmt: skip
def test_feedback_says_what_the_construction_shows(ada, template, answer, told):
    question = put(ada, template)
    post(ada, question, answer=answer)
    feedback = question_context(question)["feedback"]
    assert isinstance(feedback, dict)
    assert feedback["text"] == told


@pytest.mark.parametrize(
    ("template", "fields", "stays"),
    [
        ("p-shade", {}, "Shade at least one part first."),
        ("p-cut", {"answer": "1/2, 7"}, 'value="1/2, 7"'),
        ("p-share", {"row-A": "90", "row-B": "1"}, 'value="90"'),
        ("p-share", {"row-A": "3", "row-B": ""}, "Give everybody something first."),
        ("p-build", {"piece-1/2": "3"}, 'value="3"'),
        ("p-combine", {"combine-parts": "999", "combine-result": "2"}, 'value="999"'),
        ("p-combine", {"combine-parts": "6"}, "Choose a number of parts and count the result."),
    ],
)
def test_impossible_form_is_refused_and_keeps_what_was_typed(ada, template, fields, stays):
    response, turn_id = post(ada, put(ada, template), **fields)
    assert (response.status_code, turn_id) == (422, None)
    assert stays in unescape(shown(response))
    assert not Attempt.objects.exists()


def test_program_gets_the_reason_and_the_board_in_words(ada):
    question = put(ada, "p-place")
    response, _ = post_json(ada, question, {"action": "check", "answer": "9", "idempotency_key": "k"})
    assert response.status_code == 422
    assert "The line doesn’t go that far." in json.loads(response.content)["error"]["message"]
    text = questions_text([{"id": str(question.pk), "stem": "", "choices": []}], ada)[str(question.pk)]
    assert "A number line from 0 to 2 in 8 equal steps." in text


def test_hint_keeps_what_stands_on_the_board(ada):
    question = put(ada, "p-shade")
    post(ada, question, answer="1")
    take_hint(question)
    response, _ = post(ada, question, action="hint", answer="1,2,3", idempotency_key="k2")
    assert 'data-state="1,2,3"' in shown(response)


def test_open_board_says_nothing_of_its_key(ada):
    for template in BOARDS:
        question = put(ada, template)
        context = question_context(question)["manipulative"]
        assert isinstance(context, dict)
        assert set(json.loads(str(context["board"]))) == set(question.public["board"])
        assert question.key["answer"]["value"] not in (question.public.get("value"), context.get("value"))


def test_movable_bars_are_still_once_the_question_is_closed(ada):
    question = put(ada, "p-compare")
    response, _ = post(ada, question, action="hint", idempotency_key="h")
    assert "data-bars" in shown(response)
    response, _ = post(ada, question, answer=right_answers(question.instance())[0])
    assert "data-bars" not in shown(response)
    assert "Mia" in shown(response)


@pytest.mark.parametrize("kind", ["shade", "cut", "place", "build", "share", "combine", "point", "line", "balance"])
def test_every_reason_has_a_sentence(kind):
    reasons = (
        "empty", "too_long", "no_such_part", "no_such_piece", "no_such_choice", "outside", "between_marks", "twice",
        "too_many", "incomplete", "two_sizes", "other_sign", "unexpected", "division_by_zero", "words", "two_numbers",
    )  # fmt: skip
    for reason in reasons:
        assert unreadable_reason(reason, kind).endswith((".", "?"))
