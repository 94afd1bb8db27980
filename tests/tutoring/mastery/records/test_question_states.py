"""A question's life in five words: registered, shown, answered, graded, abandoned."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.tutoring.review_helpers import load_tiny, master
from tests.tutoring.small_course import ask, choice, numeric
from tutoring.mastery.records import progress, review_questions
from tutoring.models import Question
from tutoring.pages.cards.rendering import questions_html

pytestmark = pytest.mark.django_db


def as_stored(question):
    return Question.objects.get(pk=question.pk)


def drawn(question, person):
    """Draw its card for somebody, as a page does; return how many statements write."""
    with CaptureQueriesContext(connection) as queries:
        questions_html([{"id": str(question.pk)}], person, None)
    return sum(each["sql"].startswith("UPDATE") for each in queries)


def answered(question, text, key="k1"):
    progress.record_attempt(question, learner=question.learner, answer=text, idempotency_key=key)


def test_it_is_registered_until_its_card_is_drawn_for_its_learner(ada, eve):
    question = ask(ada)
    assert as_stored(question).life == "registered"
    drawn(question, eve)
    assert as_stored(question).shown_at is None
    drawn(question, ada)
    assert as_stored(question).life == "shown"


def test_only_the_first_drawing_is_kept(ada):
    question = ask(ada)
    assert drawn(question, ada) == 1
    first = as_stored(question).shown_at
    assert drawn(question, ada) == 0
    assert as_stored(question).shown_at == first


def test_a_wrong_try_is_an_answer_and_the_right_one_ends_it(ada):
    question = ask(ada, numeric())
    drawn(question, ada)
    answered(question, "1/3")
    tried = as_stored(question)
    assert (tried.life, tried.is_open) == ("answered", True)
    answered(question, "1/2", key="k2")
    ended = as_stored(question)
    assert ended.life == "graded"
    assert ended.graded_at == ended.closed_at > tried.graded_at > tried.shown_at


def test_not_knowing_is_graded(ada):
    question = ask(ada, choice())
    progress.give_up(question, learner=ada, idempotency_key="k1")
    assert as_stored(question).life == "graded"


def test_what_a_program_answers_unseen_was_shown_then(ada):
    question = ask(ada)
    answered(question, "1/3")
    stored = as_stored(question)
    assert stored.shown_at == stored.graded_at


def test_it_is_abandoned_whatever_came_before(ada):
    question = ask(ada)
    answered(question, "1/3")
    progress.abandon_open(question.session)
    stored = as_stored(question)
    assert stored.life == "abandoned"
    assert stored.graded_at is not None


def test_a_card_that_was_never_seen_open_says_so(ada):
    question = ask(ada)
    progress.abandon_open(question.session)
    drawn(question, ada)
    assert as_stored(question).shown_at is None


def test_a_review_is_shown_on_its_page(client, ada):
    load_tiny()
    master(ada, at=timezone.now() - timedelta(days=4))
    question = review_questions.ask_next(ada)
    assert as_stored(question).life == "registered"
    assert question.source_context.endswith(question.concept.value().summary)
    client.force_login(ada)
    assert client.get(reverse("review-question", args=[question.pk])).status_code == 200
    assert as_stored(question).life == "shown"


def test_an_admin_reads_the_word(admin_client, ada):
    question = ask(ada)
    drawn(question, ada)
    page = admin_client.get(reverse("admin:tutoring_question_changelist")).text
    assert '<td class="field-life">shown</td>' in page
