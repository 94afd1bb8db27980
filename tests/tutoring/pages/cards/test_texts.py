"""Cards in words: what each shows on the page, for whoever is shown no page."""

from typing import Any

import pytest

from conversations.cards import add_card_texts, cards_text
from tests import people
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.cards.test_question_kinds import put, right
from tests.tutoring.pages.views.test_answers import post
from tests.tutoring.small_course import HINTS, ask, choice
from tutoring.models import Question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]


def test_question_is_in_the_answer_with_its_choices_and_what_became_of_it(ada: Any) -> None:
    question = ask(ada, choice())
    text = text_of(question, ada)
    assert question.stem in text
    assert "- A: Both pieces\n- B: Neither" in text
    assert "A bar of four" in text
    assert "fits" not in text
    Question.objects.filter(pk=question.pk).update(hints_used=1)
    assert HINTS[0] in text_of(question, ada)
    assert HINTS[1] not in text_of(question, ada)
    post(ada, question, answer="B")
    after = text_of(question, ada)
    assert "*Your answer:* B" in after
    assert "**Right.**" in after
    assert "- B: Neither (this is a right answer)" in after
    assert text_of(question, people.make_person("eve")) == ""


@pytest.mark.parametrize(("template", "offered"), [("p-order", "choices"), ("p-match", "rows"), ("p-sort", "rows")])
def test_what_is_arranged_is_in_words_and_in_order_only_once_it_is_closed(
    ada: Any, template: str, offered: str
) -> None:
    question = put(ada, template)
    pieces = [each["text"] for each in question.public[offered]]
    before = text_of(question, ada)
    assert all(f"- {each['letter']}: " in before for each in question.public[offered])
    assert all(piece in before for piece in pieces)
    post(ada, question, **right(question))
    after = text_of(Question.objects.get(pk=question.pk), ada)
    assert all(piece in after for piece in pieces)
    assert after.split("*Your answer")[0] != before


def test_card_of_a_question_that_is_not_stored_yet_is_told_as_it_puts_it(ada: Any) -> None:
    stored = ask(ada, choice())
    wire = {"type": "card", "kind": "question", "id": str(stored.pk), "stem": "How many?", "rows": [], "picture": None}
    stored.delete()
    (told,) = add_card_texts([wire | {"choices": [{"letter": "A", "text": "Both"}]}], ada)
    assert told["text"] == "**Question.** How many?\n\n- A: Both"


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({"kind": "picture", "alt": "A bar of four", "svg": "<svg/>"}, ["A bar of four"]),
        ({"kind": "concept", "title": "One half", "summary": "One of two.", "url": "/"}, ["One half", "One of two."]),
        ({"kind": "replies", "options": ["Go on", "Enough"]}, ["Go on", "Enough"]),
        (
            {
                "kind": "path",
                "known": ["Counting"],
                "steps": [{"title": "One half", "reason": "it is your goal", "is_goal": True, "is_next": True}],
            },
            ["Counting", "1. One half (goal): it is your goal"],
        ),
    ],
)
def test_every_other_card_is_in_words(ada: Any, card: dict[str, Any], words: list[str]) -> None:
    (text,) = cards_text([{"id": "1", **card}], ada).values()
    assert all(each in text for each in words)


def text_of(question: Question, person: Any) -> str:
    return cards_text([{"kind": "question", "id": str(question.pk)}], person).get(str(question.pk), "")
