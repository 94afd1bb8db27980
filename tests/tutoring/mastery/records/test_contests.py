"""Contests, and masteries computed again without an answer."""

import pytest

from tests.tutoring.small_course import ask, numeric
from tutoring.mastery.records import contests, recounts
from tutoring.mastery.records.progress import (
    doubt_prerequisite,
    give_up,
    note_self_explanation,
    record_attempt,
)
from tutoring.models import Attempt, Contest, Mastery, MasteryChange, MisconceptionState, Review

pytestmark = pytest.mark.django_db


def answer(person, text, *, number=0, purpose="quiz"):
    question = ask(person, numeric(f"t{number}"), purpose=purpose)
    return record_attempt(question, learner=person, answer=text, idempotency_key="k").attempt


def answers(person, *texts):
    return [answer(person, text, number=number) for number, text in enumerate(texts)]


def numbers(person):
    """Return what a mastery shows of itself, and of each answer that counts."""
    row = Mastery.objects.get(learner=person)
    changes = MasteryChange.objects.filter(mastery=row, left_out=False).order_by("pk")
    own = (row.probability, row.answers, row.unassisted, row.templates)
    return [*own, *changes.values_list("before", "after", "predicted", "surprise")]


class TestRecount:
    def test_nothing_left_out_gives_what_is_stored(self, ada):
        first, *_others = answers(ada, "1/2", "1/3", "2", "1/2")
        concept = first.question.concept
        note_self_explanation(ada, concept)
        doubt_prerequisite(ada, concept)
        note_self_explanation(ada, concept)
        note_self_explanation(ada, concept)
        answer(ada, "1/2", number=7)
        before = numbers(ada)
        assert recounts.set_left_out(first, left_out=False)
        assert numbers(ada)[1:4] == before[1:4]
        flat = [each for row in numbers(ada)[4:] for each in row]
        assert flat == pytest.approx([each for row in before[4:] for each in row], abs=1e-6)
        assert numbers(ada)[0] == pytest.approx(before[0], abs=1e-6)

    def test_wrong_answer_left_out_raises_the_mastery_and_counting_it_again_lowers_it(self, ada):
        _first, wrong, *_others = answers(ada, "1/2", "1/3", "1/2", "1/2")
        before = numbers(ada)
        assert recounts.set_left_out(wrong, left_out=True)
        row = Mastery.objects.get()
        assert row.probability > before[0]
        assert (row.answers, row.unassisted, row.templates) == (3, 3, ["t0", "t2", "t3"])
        assert recounts.set_left_out(wrong, left_out=False)
        assert numbers(ada)[0] == pytest.approx(before[0], abs=1e-6)
        assert numbers(ada)[1:4] == before[1:4]

    def test_last_answer_left_out_leaves_the_numbers_of_the_others(self, ada):
        answers(ada, "1/2", "1/2")
        before = numbers(ada)
        last = answer(ada, "1/3", number=5)
        recounts.set_left_out(last, left_out=True)
        assert numbers(ada)[0] == pytest.approx(before[0], abs=1e-6)
        assert numbers(ada)[1:4] == before[1:4]

    def test_only_answer_left_out_leaves_the_start(self, ada):
        [only] = answers(ada, "1/3")
        start = only.change.before
        recounts.set_left_out(only, left_out=True)
        row = Mastery.objects.get()
        assert (row.probability, row.answers) == (pytest.approx(start), 0)
        recounts.set_left_out(only, left_out=False)
        assert Mastery.objects.get().answers == 1

    def test_mastery_reached_without_it_is_reviewed_later(self, ada):
        _one, _two, wrong, *_others = answers(ada, "1/2", "1/2", "1/3", "1/3", "1/2")
        assert not Mastery.objects.get().is_mastered
        recounts.set_left_out(wrong, left_out=True)
        row = Mastery.objects.get()
        assert row.is_mastered
        assert row.mastered_at == Attempt.objects.latest("pk").created_at
        assert Review.objects.filter(learner=ada).count() == 1

    def test_mastery_that_rests_on_it_is_lost(self, ada):
        *_others, last = answers(ada, "1/2", "1/2", "1/2")
        assert Mastery.objects.get().mastered_at is not None
        recounts.set_left_out(last, left_out=True)
        assert Mastery.objects.get().mastered_at is None

    def test_record_that_cannot_be_reproduced_stays(self, ada):
        first, *_others = answers(ada, "1/2", "1/2", "1/2")
        MasteryChange.objects.filter(attempt=first).update(after=0.123)
        before = numbers(ada)
        assert not recounts.set_left_out(first, left_out=True)
        assert numbers(ada) == before

    def test_answer_that_never_counted_changes_nothing(self, ada):
        question = ask(ada)
        record_attempt(question, learner=ada, answer="2", idempotency_key="k")
        retry = record_attempt(question, learner=ada, answer="1/3", idempotency_key="l").attempt
        before = numbers(ada)
        assert not recounts.set_left_out(retry, left_out=True)
        assert numbers(ada) == before

    def test_retries_and_given_up_questions_are_counted_again_too(self, ada):
        question = ask(ada, numeric("t9"))
        record_attempt(question, learner=ada, answer="1/3", idempotency_key="k")
        record_attempt(question, learner=ada, answer="1/2", idempotency_key="l")
        give_up(ask(ada, numeric("t8")), learner=ada, idempotency_key="k")
        wrong = answer(ada, "2", number=1)
        before = numbers(ada)
        assert recounts.set_left_out(wrong, left_out=True)
        assert numbers(ada)[1] == 3
        assert recounts.set_left_out(wrong, left_out=False)
        assert numbers(ada)[0] == pytest.approx(before[0], abs=1e-6)

    def test_misconception_no_longer_rests_on_it(self, ada):
        first, second = answers(ada, "2", "2")
        assert MisconceptionState.objects.get().status == "active"
        recounts.set_left_out(second, left_out=True)
        row = MisconceptionState.objects.get()
        assert (row.status, len(row.evidence)) == ("suspected", 1)
        recounts.set_left_out(first, left_out=True)
        row.refresh_from_db()
        assert row.evidence == []


class TestContests:
    def test_contest_changes_no_number(self, ada):
        [wrong] = answers(ada, "1/3")
        before = numbers(ada)
        contests.contest_verdict(wrong, reason="I typed it wrong")
        assert numbers(ada) == before

    def test_same_answer_is_contested_once(self, ada):
        [wrong] = answers(ada, "1/3")
        contests.contest_verdict(wrong, reason="one")
        assert contests.contest_verdict(wrong, reason="two").reason == "one"
        assert Contest.objects.count() == 1

    def test_number_is_contested_again_only_after_a_decision(self, ada, grace):
        [one, *_others] = answers(ada, "1/2", "1/3", "1/2")
        concept = one.question.concept
        first = contests.contest_mastery(ada, concept, reason="too low")
        assert first.score == pytest.approx(Mastery.objects.get().score)
        assert contests.contest_mastery(ada, concept, reason="too low").pk == first.pk
        contests.decide(first, "left_out", by=grace)
        first.refresh_from_db()
        assert first.decision == "kept"
        assert contests.contest_mastery(ada, concept, reason="").pk != first.pk

    def test_taken_back_is_gone_and_a_decided_one_is_not(self, ada, grace):
        wrong, other = answers(ada, "1/3", "1/3")
        contests.take_back(contests.contest_verdict(wrong, reason=""))
        assert not Contest.objects.exists()
        contest = contests.contest_verdict(other, reason="")
        contests.decide(contest, "kept", by=grace)
        with pytest.raises(contests.AlreadyDecided):
            contests.take_back(contest)

    def test_decision_names_who_and_when_and_can_be_changed(self, ada, grace):
        _right, wrong = answers(ada, "1/2", "1/3")
        before = numbers(ada)
        contest = contests.contest_verdict(wrong, reason="")
        held = contests.decide(contest, "left_out", by=grace)
        assert (held.decision, held.recounted, held.decided_by, held.decided_at is not None) == (
            "left_out", True, grace, True,
        )  # fmt: skip
        assert contests.decide(contest, "left_out", by=grace).recounted
        contests.decide(contest, "kept", by=grace)
        assert numbers(ada)[0] == pytest.approx(before[0], abs=1e-6)
