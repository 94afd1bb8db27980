"""What programs are told of a lesson: everything the page shows in words, and as the descriptions say."""

import json
from typing import Any

import pytest
from django.test import Client

from conversations.cards import current_cards
from conversations.models import Document
from learnagent.accounts.authentication.api_tokens import make_token
from tests import people
from tests.api_schemas import frame_schema_errors, schema_errors
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, StageWithTools, counted_turns
from tests.tutoring.roles.explanation.test_lookup_answers import ASKED, QUOTE, put_in
from tutoring.models import Concept, Question
from tutoring.pages.cards.schemas import QuestionCard

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def ada(kept_fractions: None) -> Any:
    return people.make_person("ada", level="beginner")


@pytest.fixture
def lesson(ada: Any) -> Any:
    with counted_turns(seed=1):
        stage = StageWithTools(ada, Concept.objects.select_related("course").get(slug="one-half"))
        stage.open()
        yield stage


@pytest.fixture
def get(ada: Any) -> Any:
    """Return a function that asks as Ada's program does, and returns the answer."""
    client, token = Client(), make_token(ada)

    def asked(path: str) -> Any:
        response = client.get(path, headers={"Authorization": f"Bearer {token}"})
        assert response.status_code == 200
        return response.json()

    return asked


SAID = (ASKED, "I want to learn to add fractions", "Quiz me", "hint please", "I do not know")


def test_every_event_and_answer_of_a_conversation_is_as_described(ada: Any, lesson: Stage, get: Any) -> None:
    put_in(ada)
    for text in SAID:
        lesson.say(text)
    kinds, types = set(), set()
    for came in lesson.exchanges:
        told = get(f"/v2/turns/{came.turn.pk}/events")["events"]
        assert [fault for wire in told for fault in frame_schema_errors(wire)] == []
        assert schema_errors(get(f"/v2/turns/{came.turn.pk}"), "TurnState") == []
        types |= {wire["type"] for wire in told}
        kinds |= {wire["kind"] for wire in told if wire["type"] == "card"}
    assert schema_errors(get(f"/v2/sessions/{lesson.key}/turns"), "TurnList") == []
    assert kinds >= {"question", "picture", "sources"}
    assert types >= {"turn_started", "routed", "agent_started", "agent_finished", "reply_text", "card", "turn_finished"}


def question_in(cards: list[dict[str, Any]], question: Question) -> dict[str, Any]:
    (card,) = [each for each in cards if each["id"] == str(question.pk)]
    return card


def test_card_of_a_question_tells_how_it_stands_and_no_answer_while_it_is_open(lesson: Stage, get: Any) -> None:
    asked = lesson.say("Quiz me")
    question = lesson.question
    assert question is not None
    shown = get(f"/v2/turns/{asked.turn.pk}")
    card = question_in(shown["answer"]["cards"], question)
    assert card.keys() - {"stands_alone"} == {*QuestionCard.model_fields, "kind", "id", "at", "text"}
    assert (card["question_kind"], card["stem"]) == (question.kind, question.stem)
    assert (card["state"], card["verdict"], card["answer"], card["hints"]) == ("open", None, None, [])
    (event,) = [each for each in get(f"/v2/turns/{asked.turn.pk}/events")["events"] if each["type"] == "card"]
    assert {name: event[name] for name in QuestionCard.model_fields} == {
        name: card[name] for name in QuestionCard.model_fields
    }
    solution = [*question.key["solution"], *question.key["hints"]]
    assert [each for each in solution if json.dumps(each) in json.dumps([shown, event])] == []


@pytest.mark.parametrize(
    ("said", "state", "verdict"),
    [("I do not know", "open", None), ("wrong", "open", "wrong"), ("right", "answered", "correct")],
)
def test_answer_tells_what_became_of_the_question_before_it(
    lesson: Stage, get: Any, said: str, state: str, verdict: str | None
) -> None:
    asked = lesson.say("Quiz me")
    question = lesson.question
    assert question is not None
    answer, other = right(question), wrong(question)
    judged = lesson.say({"right": answer, "wrong": other}.get(said, said))
    changed = question_in(get(f"/v2/turns/{judged.turn.pk}")["answer"]["changed_cards"], question)
    now = question_in(get(f"/v2/turns/{asked.turn.pk}")["answer"]["cards"], question)
    assert {name: now[name] for name in changed} == changed
    assert (changed["state"], changed["verdict"]) == (state, verdict)
    assert changed["answer"] == {"right": answer, "wrong": other}.get(said)
    assert changed["hints"] == ([] if verdict == "correct" else question.key["hints"][:1])
    assert (json.dumps(answer) in json.dumps([changed, now])) == (said == "right")


def test_questions_of_somebody_else_do_not_tell_how_they_stand(lesson: Stage) -> None:
    lesson.say("Quiz me")
    assert lesson.question is not None
    card = {"kind": "question", "id": str(lesson.question.pk)}
    assert current_cards([card], people.make_person("eve")) == [card | {"text": ""}]


def test_quotes_of_documents_are_in_the_answer_for_whoever_may_read_them(ada: Any, lesson: Stage, get: Any) -> None:
    """A6: what was deleted is in no answer either."""
    document = put_in(ada)
    came = lesson.say(ASKED)
    answer = get(f"/v2/turns/{came.turn.pk}")["answer"]
    assert QUOTE in answer["response"]
    assert answer["response"].index(answer["reply"].strip()[:20]) < answer["response"].index(QUOTE)
    assert QUOTE not in answer["reply"]
    assert [QUOTE in card["text"] for card in answer["cards"]].count(True) == 1
    assert QUOTE in get(f"/v2/sessions/{lesson.key}/turns")["turns"][-1]["agent_text"]
    (card,) = [each for each in get(f"/v2/turns/{came.turn.pk}/events")["events"] if each["type"] == "card"]
    assert QUOTE in card["text"]
    Document.objects.filter(pk=document.pk).update(owner=people.make_person("ben"), in_library=False)
    assert QUOTE not in json.dumps(get(f"/v2/turns/{came.turn.pk}"))
    assert "no longer shared with you" in get(f"/v2/turns/{came.turn.pk}")["answer"]["response"]
