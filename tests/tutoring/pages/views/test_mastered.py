"""The page after mastery: what the learner said, and how mastery is known."""

import pytest

from tests.tutoring.small_course import ask, numeric
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import Attempt, Concept, Mastery, Question
from tutoring.pages.contexts.mastered import mastered_context

pytestmark = pytest.mark.django_db

SENTENCE = "The two pieces must be the same size."


def mastered_with(person, *answers):
    """Answer questions, then count the concept as mastered."""
    for number, each in enumerate(answers):
        question = ask(person, numeric(f"t{number}"))
        assert record_attempt(question, learner=person, answer=each, idempotency_key="k").created
    Mastery.objects.update(mastered_at="2026-11-20T00:00:00Z", probability=0.97)
    return Concept.objects.select_related("course").get(slug="one_half")


def test_right_sentence_of_an_answer_is_the_learners_own(ada):
    concept = mastered_with(ada, "1/2", "1/2", "1/2")
    assert mastered_context(ada, concept)["insight"] == ""
    written = Attempt.objects.order_by("pk").first()
    Question.objects.filter(pk=written.question_id).update(kind="text")
    Attempt.objects.filter(pk=written.pk).update(answer=SENTENCE)
    assert mastered_context(ada, concept)["insight"] == SENTENCE
    Attempt.objects.filter(pk=written.pk).update(correct=False)
    assert mastered_context(ada, concept)["insight"] == ""


def test_proof_counts_the_answers_that_count(ada):
    concept = mastered_with(ada, "1/2", "1/3", "1/2")
    assert mastered_context(ada, concept)["proof"] == "How we know: 3 answers, 2 of them right without help, on 1 day."
