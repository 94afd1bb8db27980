"""What is mastered comes back, and what answers make of it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from django.db import connection

from tests.tutoring.review_helpers import answered, concept_of, load_tiny, master, quiz
from tutoring.dialogue import turn_undo
from tutoring.mastery import spaced_review
from tutoring.mastery.records import review_questions, reviews
from tutoring.mastery.records.progress import give_up
from tutoring.models import Attempt, Course, Goal, ItemOffset, Mastery, MasteryChange, Question, Review

pytestmark = pytest.mark.django_db
AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def course():
    return load_tiny()


@pytest.fixture
def card(course, ada):
    """Ada's card of halves, which she mastered on the second of March."""
    return master(ada, at=AT)


def mastery_of(person):
    return Mastery.objects.get(learner=person, concept__slug="halves")


def titles(rows):
    return [row.concept.title for row in rows]


def due_on(day):
    """The beginning of a day in the learner's zone."""
    return datetime(2026, 3, day, tzinfo=UTC)


class TestCards:
    def test_card_is_made_when_mastery_is_first_reached_and_not_before(self, course, ada):
        quiz(ada, at=AT)
        assert not Review.objects.exists()
        card = master(ada, at=AT)
        assert (card.reviewed_at, card.times) == (AT, 0)
        assert card.card["stability"] == pytest.approx(2.3065)

    def test_what_two_goals_rest_on_comes_back_sooner(self, course, ada, ben):
        """The course's own goal rests on halves, and so does the one that Ada has set herself."""
        Goal.objects.create(learner=ada, concept=concept_of("sharing"))
        assert [master(person, at=AT).due_at for person in (ada, ben)] == [due_on(3), due_on(4)]

    def test_later_quiz_answer_is_a_look_too_once_a_day(self, card, ada):
        quiz(ada, at=AT + timedelta(hours=23))
        card.refresh_from_db()
        assert card.reviewed_at == AT
        quiz(ada, at=AT + 2 * DAY)
        card.refresh_from_db()
        assert (card.reviewed_at, card.times) == (AT + 2 * DAY, 0)
        assert card.card["stability"] > 10

    def test_wrong_quiz_answer_brings_it_back_sooner(self, card, ada):
        quiz(ada, right=False, at=AT + 2 * DAY)
        card.refresh_from_db()
        assert card.card["stability"] < 2.3

    def test_answers_on_what_was_lost_are_no_looks_until_it_is_mastered_again(self, card, ada):
        Mastery.objects.update(probability=0.3)
        quiz(ada, at=AT + 3 * DAY)
        card.refresh_from_db()
        assert card.reviewed_at == AT
        while not mastery_of(ada).is_mastered:
            quiz(ada, at=AT + 4 * DAY)
        card.refresh_from_db()
        assert card.reviewed_at == AT + 4 * DAY

    def test_learners_have_cards_of_their_own(self, card, ada, ben):
        assert titles(reviews.due_reviews(ada, at=AT + 3 * DAY)) == ["Halves"]
        assert reviews.due_reviews(ben, at=AT + 3 * DAY) == []


class TestDue:
    def test_concept_is_due_all_of_its_day(self, card, ada):
        assert reviews.due_reviews(ada, at=due_on(4) - timedelta(seconds=1)) == []
        assert titles(reviews.due_reviews(ada, at=due_on(4))) == ["Halves"]

    def test_what_was_looked_at_late_is_not_due_a_minute_after_midnight(self, course, ada):
        Goal.objects.create(learner=ada, concept=concept_of("sharing"))
        late = datetime(2026, 3, 2, 23, 50, tzinfo=UTC)
        assert master(ada, at=late).due_at == late + timedelta(hours=12)

    def test_longest_due_comes_first_and_a_course_can_be_asked_for(self, card, ada, django_assert_num_queries):
        master(ada, at=AT - DAY, slug="adding")
        Course.objects.get(slug="tiny").catalogue()
        with django_assert_num_queries(1):
            assert titles(reviews.due_reviews(ada, at=AT + 3 * DAY)) == ["Adding parts", "Halves"]
        assert reviews.due_reviews(ada, at=AT + 3 * DAY, course=Course(pk=0)) == []

    def test_what_is_not_mastered_any_more_is_not_due_but_practised(self, card, ada):
        Mastery.objects.update(probability=0.7)
        assert reviews.due_reviews(ada, at=AT + 9 * DAY) == []
        assert reviews.scheduled_reviews(ada, at=AT) == []

    def test_taking_back_an_explanation_takes_back_what_rested_on_it(self, card, ada):
        """An edited turn takes back what it added to a mastery, and with it the review."""
        turn_undo._undo_practice(ada.pk, {"concept": card.concept_id, "gained": 0.2})
        assert not mastery_of(ada).is_mastered
        assert reviews.due_reviews(ada, at=AT + 9 * DAY) == []

    def test_concept_whose_course_has_no_exercises_any_more_is_left_out(self, card, ada, monkeypatch):
        master(ada, at=AT, slug="adding")
        monkeypatch.setattr(reviews, "askable_concept", lambda concept: None if concept.slug == "halves" else concept)
        assert titles(reviews.due_reviews(ada, at=AT + 9 * DAY)) == ["Adding parts"]

    def test_recall_falls_with_the_days(self, card, ada):
        (early,) = reviews.recall_by_concept(ada.pk, concept_of().course, at=AT).values()
        late = reviews.recall_by_concept(ada.pk, concept_of().course, at=AT + 30 * DAY)["halves"]
        assert (early.recall, early.due) == (1.0, False)
        assert 0.6 < late.recall < 0.8
        assert late.due
        assert reviews.recall_by_learner([ada.pk], at=AT + 30 * DAY) == {(ada.pk, card.concept_id): late}


class TestClock:
    """A clock that is set makes nothing due twice, and nothing never."""

    def test_set_back_by_days_it_makes_nothing_due_again_at_once(self, card, ada):
        assert reviews.due_reviews(ada, at=AT - 10 * DAY) == []

    def test_looked_at_while_the_clock_was_years_fast_it_comes_back_in_its_interval(self, course, ada):
        master(ada, at=AT + 900 * DAY)
        assert reviews.due_reviews(ada, at=AT) == []
        assert titles(reviews.due_reviews(ada, at=AT + 2 * DAY)) == ["Halves"]

    def test_look_within_the_day_ahead_counts_as_the_days_look(self, card, ada):
        quiz(ada, at=AT - timedelta(hours=3))
        card.refresh_from_db()
        assert card.reviewed_at == AT

    def test_answer_under_a_clock_set_back_is_a_look(self, card, ada):
        quiz(ada, at=AT - 40 * DAY)
        card.refresh_from_db()
        assert card.reviewed_at == AT - 40 * DAY
        assert AT - 40 * DAY < card.due_at < AT

    def test_recall_is_never_more_than_whole(self, card, ada):
        assert reviews.recall_by_learner([ada.pk], at=AT - 10 * DAY)[ada.pk, card.concept_id].recall == 1.0


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_two_windows_that_ask_at_once_get_one_question(card, ada):
    """G15"""
    ready = Barrier(2)

    def ask():
        ready.wait()
        try:
            return review_questions.ask_next(ada, at=AT + 3 * DAY).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as windows:
        first, second = [each.result() for each in [windows.submit(ask), windows.submit(ask)]]
    assert first == second
    assert Question.objects.filter(purpose="review").count() == 1


class TestReviewing:
    @pytest.fixture
    def asked(self, card, ada):
        """The review question on halves, three days later."""
        return review_questions.ask_next(ada, at=AT + 3 * DAY)

    def test_nothing_due_asks_nothing(self, card, ada):
        assert review_questions.ask_next(ada, at=AT) is None
        assert not Question.objects.filter(purpose="review").exists()

    def test_question_stands_outside_of_any_conversation_and_wants_an_answer_that_is_made(self, asked):
        assert (asked.session, asked.turn, asked.purpose, asked.number) == (None, None, "review", 1)
        assert asked.kind in ("numeric", "expression", "set", "steps")

    def test_least_asked_template_comes(self, asked):
        met = Question.objects.filter(purpose="quiz").values_list("template", flat=True)
        made = [each.id for each in concept_of().value().templates if each.constructed and each.kind != "text"]
        assert asked.template not in met or set(made) <= set(met)

    def test_coming_back_finds_the_same_open_question(self, asked, ada):
        answered(asked, right=False, at=AT + 3 * DAY)
        assert review_questions.ask_next(ada, at=AT + 4 * DAY) == asked
        assert review_questions.open_review_question(ada) == asked

    def test_right_answer_lengthens_the_interval_and_ends_the_review(self, asked, ada, card):
        answered(asked, at=AT + 3 * DAY)
        card.refresh_from_db()
        assert (card.times, card.reviewed_at) == (1, AT + 3 * DAY)
        assert card.due_at > AT + 6 * DAY
        assert mastery_of(ada).is_mastered
        assert review_questions.ask_next(ada, at=AT + 3 * DAY) is None

    def test_wrong_answer_that_is_put_right_is_hard_and_asks_once_more(self, asked, ada, card):
        answered(asked, right=False, at=AT + 3 * DAY)
        card.refresh_from_db()
        assert card.times == 0
        answered(asked, at=AT + 3 * DAY)
        card.refresh_from_db()
        hard = spaced_review.card_after_review(spaced_review.first_card(AT), "hard", at=AT + 3 * DAY)
        assert card.card["stability"] == hard["stability"]
        second = review_questions.ask_next(ada, at=AT + 3 * DAY)
        assert (second.number, second.concept_id) == (2, asked.concept_id)
        assert second.template != asked.template
        answered(second, at=AT + 3 * DAY)
        assert review_questions.ask_next(ada, at=AT + 3 * DAY) is None

    def test_slow_answer_asks_once_more(self, asked, ada):
        for _ in range(2):
            quiz(ada, at=AT)
        asked.refresh_from_db()
        Attempt.objects.update(time_taken_s=10.0)
        if asked.kind != "numeric":
            Question.objects.update(kind=asked.kind)
        answered(asked, at=AT + 3 * DAY, time_taken_s=25.0)
        assert review_questions.question_to_repeat(ada, at=AT + 3 * DAY) == asked
        assert review_questions.question_to_repeat(ada, at=AT + 5 * DAY) is None

    def test_missed_review_goes_back_to_practice_with_its_reason_kept(self, asked, ada, card):
        give_up(asked, learner=ada, idempotency_key="k")
        row, change = mastery_of(ada), MasteryChange.objects.latest("pk")
        card.refresh_from_db()
        assert row.probability == change.after <= 0.60
        assert not row.is_mastered
        assert card.card["stability"] < 2.3
        assert card.times == 1

    def test_miss_at_the_last_try_is_kept_with_that_try(self, asked, ada):
        for _ in range(5):
            last = answered(asked, right=False, at=AT + 3 * DAY)
        assert not last.question.is_open
        assert MasteryChange.objects.get(attempt=last.attempt).after == mastery_of(ada).probability <= 0.60

    def test_second_miss_of_a_review_does_not_count_twice(self, asked, ada, card):
        give_up(asked, learner=ada, idempotency_key="k")
        card.refresh_from_db()
        once = card.card["stability"]
        second = review_questions.ask_next(ada)
        give_up(second, learner=ada, idempotency_key="k")
        card.refresh_from_db()
        assert (second.number, card.times, card.card["stability"]) == (2, 1, once)

    def test_miss_after_a_first_question_that_was_hard_counts(self, asked, ada, card):
        answered(asked, right=False)
        answered(asked)
        card.refresh_from_db()
        after_the_first = card.card["stability"]
        give_up(review_questions.ask_next(ada), learner=ada, idempotency_key="k")
        card.refresh_from_db()
        assert card.card["stability"] < after_the_first
        assert mastery_of(ada).probability <= 0.60

    def test_hard_item_answered_fast_is_easy(self, asked, ada, card):
        for _ in range(3):
            quiz(ada, at=AT)
        Attempt.objects.update(time_taken_s=30.0)
        Question.objects.update(kind=asked.kind)
        asked.refresh_from_db()
        ItemOffset.objects.update_or_create(
            course=asked.concept.course, template=asked.template, defaults={"offset": -1.0}
        )
        answered(asked, at=AT + 3 * DAY, time_taken_s=8.0)
        card.refresh_from_db()
        easy = spaced_review.card_after_review(spaced_review.first_card(AT), "easy", at=AT + 3 * DAY)
        assert card.card["stability"] == easy["stability"]
