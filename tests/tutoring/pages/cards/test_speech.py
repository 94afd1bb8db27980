"""Cards as they are read aloud: nothing that only a page can show, and nothing twice."""

from typing import Any

import pytest

from conversations.cards import cards_speech
from tests import people
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.cards.test_question_kinds import put
from tests.tutoring.pages.views.test_answers import post
from tests.tutoring.small_course import HINTS, ask, choice
from tutoring.models import Question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]


def test_question_is_read_with_its_picture_and_its_lettered_choices(ada: Any) -> None:
    question = ask(ada, choice())
    said = speech_of(question, ada)
    assert said.startswith(question.stem)
    assert "In the picture: A bar of four" in said
    assert "- A: Both pieces\n\n- B: Neither" in said


def test_question_asked_again_comes_with_its_latest_hint_and_without_its_picture(ada: Any) -> None:
    question = ask(ada, choice())
    Question.objects.filter(pk=question.pk).update(hints_used=2)
    said = speech_of(question, ada, again=True)
    assert f"Hint: {HINTS[1]}" in said
    assert HINTS[0] not in said
    assert "picture" not in said
    assert "- A: Both pieces" in said


def test_judged_question_is_its_verdict_alone(ada: Any) -> None:
    question = ask(ada, choice())
    post(ada, question, answer="B")
    assert speech_of(question, ada, judged=True).startswith("Right.")
    assert question.stem not in speech_of(question, ada, judged=True)
    assert "A: " not in speech_of(question, ada), "a closed question has nothing to choose from"


def test_somebody_elses_question_is_not_read(ada: Any) -> None:
    question = ask(ada, choice())
    assert cards_speech([card_of(question)], people.make_person("eve")) == {}


def test_things_to_put_in_order_are_lettered(ada: Any) -> None:
    said = speech_of(put(ada, "p-order"), ada)
    assert "- A: " in said
    assert "skip" not in said


def test_question_to_be_done_on_a_picture_says_how_to_go_on(ada: Any) -> None:
    assert "you can say “skip”" in speech_of(put(ada, "p-shade"), ada)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ([{"kind": "picture", "alt": "A bar of four", "svg": "<svg/>"}], ["*Picture: A bar of four*"]),
        ([{"kind": "concept", "title": "One half", "summary": "One of two."}], ["One half\n\nOne of two."]),
        ([{"kind": "concept", "title": each, "summary": "Long."} for each in "abc"], ["a", "b", "c"]),
        ([{"kind": "replies", "options": ["Go on", "Enough"]}], ["You can say: Go on or Enough."]),
        ([{"kind": "replies", "options": ["Learn: one", "Learn: two"]}], ["You can say: Learn one or two."]),
        ([{"kind": "replies", "options": ["Learn: one"]}], ["You can say: Learn one."]),
        ([{"kind": "replies", "options": []}], []),
        (
            [{"kind": "path", "steps": [{"title": each} for each in "abcde"]}],
            ["Your next steps are: a, b, c. After that there are 2 more."],
        ),
    ],
)
def test_every_other_card_is_short(ada: Any, cards: list[dict[str, Any]], said: list[str]) -> None:
    numbered = [{"id": str(number), **each} for number, each in enumerate(cards)]
    assert [*cards_speech(numbered, ada).values()] == said


def card_of(question: Question, **fields: Any) -> dict[str, Any]:
    return {"kind": "question", "id": str(question.pk), **fields}


def speech_of(question: Question, person: Any, **fields: Any) -> str:
    return cards_speech([card_of(question, **fields)], person)[str(question.pk)]


def test_question_about_a_program_is_read_without_its_code(ada: Any) -> None:
    said = speech_of(put(ada, "p-trace"), ada)
    assert said.startswith("What does this program print?")
    assert "parts =" not in said
    assert said.endswith("Here, you can say “skip”.")
