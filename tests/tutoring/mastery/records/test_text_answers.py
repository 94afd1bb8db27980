"""Answers in words to live questions are judged by their meaning, and no model is run while they are stored."""

from typing import Any

import pytest
from django.test import RequestFactory

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from conversations.turns import apply, begin, leases
from conversations.turns.handler import turn_handler
from tests.tutoring.small_course import ask, numeric
from tutoring.grading import TextKey, grade
from tutoring.grading.language import reference_answers
from tutoring.grading.semantic_grader import text_embedding
from tutoring.lesson.placement import PLACEMENT_KEY, Placement, placement_to_json
from tutoring.mastery.records.progress import begin_lesson, record_attempt
from tutoring.models import Attempt, Question
from tutoring.pages.views.answers import answer_core

pytestmark = [pytest.mark.db, pytest.mark.django_db]
SAID = "rubbing against the floor takes its speed away"
WHY = "Why does a rolling ball stop?"
FRICTION = TextKey(references=("Friction slows the ball down.",), question=WHY)
MANY = TextKey(
    references=(*FRICTION.references, *(f"{number} forces slow it down." for number in range(20))), question=WHY
)


@pytest.fixture(autouse=True)
def _nothing_read() -> None:
    """Let the model have read none of the texts, as after a start."""
    for known in (embeddings._embed_one, embeddings._embed_by_length, reference_answers._vectors):
        known.cache_clear()  # type: ignore[attr-defined]  # Each is remembered.


def put(person: Any, key: TextKey = FRICTION, **fields: Any) -> Question:
    return ask(person, numeric("friction", kind="text", stem=WHY, key=key, wrong={}), **fields)


def by_record(question: Question) -> None:
    record_attempt(question, learner=question.learner, answer=SAID, idempotency_key="k")


def by_card(question: Question) -> None:
    request = RequestFactory().post("/", {"action": "check", "idempotency_key": "k", "answer": SAID})
    request.user = question.learner
    answer_core(request, str(question.pk))


def by_message(question: Question) -> None:
    begin_lesson(question.learner, question.concept, question.session)
    turn = begin.begin_turn(owner=question.learner, session_key=question.session.key, text=SAID).turn
    assert leases.claim_new(turn)
    reading = turn_handler().read(turn)
    assert reading is not None
    apply.apply_reading(turn, reading)


def in_placement(question: Question) -> None:
    Question.objects.filter(pk=question.pk).update(purpose="placement")
    question.session.state[PLACEMENT_KEY] = placement_to_json(Placement(topic=question.concept.slug))
    question.session.save()
    by_message(question)


@pytest.mark.parametrize("give", [by_record, by_card, by_message, in_placement])
@pytest.mark.parametrize("key", [FRICTION, MANY], ids=["one reference", "many references"])
def test_answer_is_judged_by_its_meaning_whichever_way_it_comes(ada: Any, give: Any, key: TextKey) -> None:
    give(put(ada, key))
    score = Attempt.objects.get().score
    assert score == grade(key, SAID, embed=text_embedding()).score
    assert score != grade(key, SAID).score


def test_the_words_decide_where_the_model_does_not_load(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "_load_model", lambda: EmbeddingModelMissing("does not load"))
    by_record(put(ada))
    assert Attempt.objects.get().score == grade(FRICTION, SAID).score
