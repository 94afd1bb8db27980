"""Questions, attempts and what follows from them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from tests.tutoring.small_course import ask, choice, describe, make_turn, numeric, text
from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.grading import NumericKey
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.records import progress, suspected_misconceptions
from tutoring.mastery.records.progress import AnswerConflict, QuestionClosed, record_attempt
from tutoring.models import Ability, Attempt, ItemOffset, Lesson, Mastery, MasteryChange, MisconceptionState, Question

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def answer(question, text, key="k1", **fields):
    return record_attempt(question, learner=question.learner, answer=text, idempotency_key=key, **fields)


def solve(person, template):
    return answer(ask(person, numeric(template)), "1/2")


class TestOpening:
    def test_turn_that_runs_again_finds_the_question_it_put(self, ada):
        question = ask(ada)
        again = progress.open_question(
            learner=ada,
            session=question.session,
            turn=question.turn,
            concept=question.concept,
            instance=numeric("another"),
            purpose="quiz",
            number=1,
        )
        assert again == question
        assert again.template == "shaded"

    def test_numbers_of_a_turn_are_questions_of_their_own(self, ada):
        question = ask(ada)
        second = progress.open_question(
            learner=ada,
            session=question.session,
            turn=question.turn,
            concept=question.concept,
            instance=numeric(),
            purpose="quiz",
            number=2,
        )
        assert second != question

    @pytest.mark.parametrize("instance", [numeric(), choice(), text()], ids=lambda i: i.kind)
    def test_stored_question_gives_back_its_exercise(self, ada, instance):
        question = ask(ada, instance)
        assert Question.objects.get(pk=question.pk).instance() == instance


class TestAnswering:
    def test_right_answer_closes_the_question_and_raises_mastery(self, ada):
        recorded = answer(ask(ada), "1/2")
        assert recorded.attempt.correct
        assert recorded.question.status == Question.Status.ANSWERED
        assert recorded.change.after > recorded.change.before

    def test_wrong_answer_leaves_the_question_open_and_lowers_mastery(self, ada):
        recorded = answer(ask(ada), "1/3")
        assert recorded.question.is_open
        assert recorded.change.after < recorded.change.before

    def test_giving_up_again_and_again_never_raises_mastery(self, ada):
        """Of who gives up every question little is learned from one more, but never that they know more."""
        Ability.objects.create(learner=ada, residual=-20, answers=30)
        changes = [
            progress.give_up(ask(ada, numeric(f"shaded-{number}")), learner=ada, idempotency_key="1").change
            for number in range(5)
        ]
        assert all(change.after <= change.before for change in changes)

    def test_change_is_stored_with_its_explaining_numbers(self, ada):
        change = answer(ask(ada, numeric(difficulty="hard")), "1/2").change
        stored = MasteryChange.objects.get(attempt__learner=ada)
        assert stored == change
        assert (stored.before, stored.difficulty) == (0.5, knowledge_tracing.difficulty_offset("hard"))
        assert stored.surprise == pytest.approx(1 - stored.predicted)
        assert stored.after == Mastery.objects.get(learner=ada).probability

    def test_ability_and_item_move_with_the_answer(self, ada):
        answer(ask(ada), "1/2")
        assert Ability.objects.get(learner=ada).residual > 0
        assert ItemOffset.objects.get(template="shaded").offset > 0

    def test_unreadable_answer_is_a_free_retry(self, ada):
        question = ask(ada)
        recorded = answer(question, "(1/2")
        assert recorded.attempt is None
        assert recorded.judgement.reason
        assert recorded.question.is_open
        assert not Attempt.objects.exists()
        assert not answer(question, "1/2").attempt.assisted

    def test_retry_is_no_measurement_and_when_right_one_more_opportunity(self, ada):
        question = ask(ada)
        first, second = answer(question, "1/3", "k1"), answer(question, "1/2", "k2")
        assert second.attempt.assisted
        assert second.change.surprise is None
        assert second.change.after >= first.change.after
        assert Ability.objects.get(learner=ada).answers == 1

    def test_wrong_retry_moves_no_mastery(self, ada):
        question = ask(ada)
        answer(question, "1/3", "k1")
        assert answer(question, "1/4", "k2").change is None

    @pytest.mark.parametrize(("instance", "tries"), [(numeric(), 5), (choice(), 2)], ids=["typed", "of two options"])
    def test_last_wrong_try_closes_the_question(self, ada, instance, tries):
        question = ask(ada, instance)
        wrong = ["A"] * tries if question.kind == "choice" else [f"1/{n + 3}" for n in range(tries)]
        open_after = [answer(question, each, f"k{n}").question.is_open for n, each in enumerate(wrong)]
        assert open_after == [True] * (tries - 1) + [False]

    def test_closed_question_takes_no_answer(self, ada):
        """B4"""
        question = ask(ada)
        answer(question, "1/2")
        with pytest.raises(QuestionClosed):
            answer(question, "1/3", "k2")
        assert Attempt.objects.count() == 1

    def test_abandoned_question_takes_no_answer(self, ada):
        """B4"""
        question = ask(ada)
        assert progress.abandon_open(question.session) == 1
        assert progress.abandon_open(question.session) == 0
        with pytest.raises(QuestionClosed):
            answer(question, "1/2")

    def test_learner_answers_only_their_own_question(self, ada, eve):
        question = ask(ada)
        with pytest.raises(Question.DoesNotExist):
            record_attempt(question, learner=eve, answer="1/2", idempotency_key="k")

    def test_two_learners_have_masteries_of_their_own_and_share_the_item(self, ada, ben):
        answer(ask(ada), "1/2")
        answer(ask(ben), "1/3")
        high, low = Mastery.objects.get(learner=ada), Mastery.objects.get(learner=ben)
        assert high.probability > 0.5 > low.probability
        assert ItemOffset.objects.get().answers == 2

    def test_text_verdict_never_lowers_mastery_and_measures_nothing(self, ada):
        assert answer(ask(ada, text()), "because it is red").change is None
        change = answer(ask(ada, text()), "both are the same size").change
        assert change.surprise is None
        assert change.after > change.before

    def test_right_value_in_another_form_is_no_evidence(self, ada):
        question = ask(ada, numeric(key=NumericKey(value="1/2", form="simplified")))
        recorded = answer(question, "2/4")
        assert recorded.judgement.verdict == "equivalent_not_in_form"
        assert recorded.question.is_open
        assert recorded.change is None

    def test_four_right_answers_on_different_templates_master_the_concept(self, ada):
        for template in ("a", "b", "c", "d"):
            solve(ada, template)
        row = Mastery.objects.get(learner=ada)
        assert row.is_mastered
        assert row.mastered_at is not None
        assert row.threshold == 0.85


class TestResending:
    def test_same_key_returns_the_first_attempt(self, ada):
        """G15"""
        question = ask(ada)
        first, again = answer(question, "1/2"), answer(question, "1/2")
        assert (first.created, again.created) == (True, False)
        assert again.attempt == first.attempt
        assert again.change == first.change
        assert again.judgement == first.judgement
        assert Mastery.objects.get(learner=ada).answers == 1

    def test_same_key_with_another_answer_is_a_conflict(self, ada):
        """B6"""
        question = ask(ada)
        answer(question, "1/3")
        with pytest.raises(AnswerConflict):
            answer(question, "1/2")
        with pytest.raises(AnswerConflict):
            progress.give_up(question, learner=ada, idempotency_key="k1")
        assert Attempt.objects.count() == 1

    @pytest.mark.django_db(transaction=True)
    def test_two_tabs_that_send_at_once_make_one_attempt(self, ada):
        """G15"""
        question, ready = ask(ada), Barrier(2)

        def send():
            ready.wait()
            try:
                return record_attempt(question, learner=ada, answer="1/2", idempotency_key="k1").created
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as tabs:
            created = [each.result() for each in [tabs.submit(send), tabs.submit(send)]]
        assert sorted(created) == [False, True]
        assert Attempt.objects.count() == Ability.objects.get().answers == 1


class TestHints:
    def test_hint_asks_for_an_attempt_first(self, ada):
        question = ask(ada)
        hint = progress.take_hint(question)
        assert hint.rung is None
        assert hint.text not in question.key["hints"]

    def test_each_attempt_earns_one_rung(self, ada):
        question = ask(ada, purpose="practice")
        answer(question, "1/3", "k1")
        answer(question, "1/4", "k2")
        assert progress.take_hint(question).rung == 1
        assert progress.take_hint(question).rung is None
        answer(question, "1/5", "k3")
        assert progress.take_hint(question).rung == 2

    def test_not_knowing_is_as_good_as_a_try_at_each_rung(self, ada):
        question = ask(ada)
        assert [progress.take_hint(question, tried=True).rung for _ in range(3)] == [1, 2, 3]
        assert progress.take_hint(question).rung is None

    @pytest.mark.parametrize(("has_worked_example", "rung"), [(True, 4), (False, 1)])
    def test_only_a_worked_example_is_gone_to_at_once(self, ada, has_worked_example, rung):
        question = ask(ada, numeric(has_worked_example=has_worked_example))
        assert progress.take_hint(question, tried=True, at_least=4).rung == rung

    def test_closed_question_gives_no_hint(self, ada):
        question = ask(ada)
        answer(question, "1/2")
        with pytest.raises(QuestionClosed):
            progress.take_hint(question)


class TestPractice:
    def test_twin_of_a_solved_exercise_measures_nothing_and_teaches_when_right(self, ada):
        missed = answer(ask(ada), "1/3").change.after
        wrong = answer(ask(ada, numeric("twin"), purpose="practice"), "1/3")
        right = answer(ask(ada, numeric("twin"), purpose="practice"), "1/2")
        assert wrong.change is None
        assert right.change.surprise is None
        assert right.change.after > missed
        assert Mastery.objects.get(learner=ada).unassisted == 1

    def test_right_explanation_is_one_more_opportunity_and_no_answer(self, ada):
        before = answer(ask(ada), "1/3").change.after
        concept = Mastery.objects.get(learner=ada).concept
        progress.note_self_explanation(ada, concept)
        row = Mastery.objects.get(learner=ada)
        assert row.probability == pytest.approx(before * 0.98 + (1 - before) * 0.10)
        assert (row.answers, row.unassisted) == (1, 1)

    def test_explanation_alone_makes_no_belief(self, ada, eve):
        concept = ask(ada).concept
        progress.note_self_explanation(eve, concept)
        assert not Mastery.objects.filter(learner=eve).exists()


class TestGivingUp:
    def test_not_knowing_is_wrong_and_closes(self, ada):
        recorded = progress.give_up(ask(ada), learner=ada, idempotency_key="k")
        assert (recorded.attempt.correct, recorded.attempt.gave_up) == (False, True)
        assert recorded.question.status == Question.Status.ANSWERED
        assert recorded.change.after < recorded.change.before

    def test_not_knowing_takes_time_too(self, ada):
        question = ask(ada)
        Question.objects.filter(pk=question.pk).update(opened_at=timezone.now() - timedelta(seconds=40))
        recorded = progress.give_up(question, learner=ada, idempotency_key="k")
        assert recorded.attempt.time_taken_s == pytest.approx(40, abs=5)

    def test_not_knowing_after_a_try_is_no_second_measurement(self, ada):
        question = ask(ada)
        answer(question, "1/3")
        assert progress.give_up(question, learner=ada, idempotency_key="k2").change is None

    def test_not_knowing_says_more_than_a_wrong_guess(self, ada, ben):
        gave_up = progress.give_up(ask(ada, choice()), learner=ada, idempotency_key="k")
        guessed = answer(ask(ben, choice("other")), "A")
        assert gave_up.change.after < guessed.change.after


class TestMisconceptions:
    def test_answer_of_a_malrule_names_its_misconception(self, ada):
        recorded = answer(ask(ada), "2")
        state = MisconceptionState.objects.get(learner=ada)
        assert recorded.attempt.misconceptions == ["counts_shaded"]
        assert (state.misconception, state.status) == ("counts_shaded", "suspected")
        (piece,) = state.evidence
        assert (
            piece.items()
            >= {
                "turn_id": str(recorded.question.turn_id),
                "quote": "2",
                "source": "malrule",
            }.items()
        )

    def test_distractor_speaks_for_its_misconception_more_softly(self, ada):
        answer(ask(ada, choice()), "A")
        state = MisconceptionState.objects.get(learner=ada)
        assert (state.misconception, state.status) == ("two_pieces", "none")

    def test_answer_like_labelled_ones_speaks_weakly_for_their_misconception(self, ada):
        question = ask(ada)
        like = WrongAnswer(question=question.stem, answer="1/3")
        describe(question.concept.course, "two_pieces", examples=(like,), concepts=("one_half",))
        recorded = answer(question, "1/3")
        state = MisconceptionState.objects.get(learner=ada)
        assert recorded.attempt.misconceptions == []
        assert (state.misconception, state.status, state.evidence[0]["source"]) == ("two_pieces", "none", "likeness")

    def test_answer_like_labelled_ones_of_what_is_known_to_answer_otherwise_says_nothing(self, ada):
        question = ask(ada)
        like = WrongAnswer(question=question.stem, answer="1/3")
        describe(question.concept.course, "counts_shaded", examples=(like,), concepts=("one_half",))
        answer(question, "1/3")
        assert not MisconceptionState.objects.exists()

    def test_same_wrong_answer_twice_is_one_piece_of_evidence(self, ada):
        question = ask(ada)
        answer(question, "2", "k1")
        answer(question, "2", "k2")
        assert len(MisconceptionState.objects.get().evidence) == 1

    def test_two_right_answers_where_it_would_show_resolve_it(self, ada):
        answer(ask(ada), "2")
        for _ in range(2):
            answer(ask(ada), "1/2")
        assert MisconceptionState.objects.get().status == "resolved"

    def test_right_answer_after_help_resolves_nothing(self, ada):
        question = ask(ada)
        answer(question, "2", "k1")
        answer(question, "1/2", "k2")
        assert MisconceptionState.objects.get().resolving == 0

    def test_words_are_weighed_once_a_turn(self, ada):
        course, turn = ask(ada).concept.course, make_turn(ada)
        for _ in range(2):
            progress.note_utterance(ada, course, ["two_pieces"], "these are halves", turn)
        state = MisconceptionState.objects.get()
        assert state.status == "suspected"
        assert [piece["source"] for piece in state.evidence] == ["utterance"]

    def test_right_explanation_counts_towards_resolving(self, ada):
        course = ask(ada).concept.course
        progress.note_utterance(ada, course, ["two_pieces"], "these are halves", make_turn(ada))
        progress.note_explanation(ada, course, ["two_pieces"], "same size", make_turn(ada))
        assert suspected_misconceptions.suspicions_of(ada.pk, course)["two_pieces"].resolving == 1


class TestLessonsAndCycles:
    def test_lesson_starts_at_the_learners_level_and_stays(self, ada):
        question = ask(ada)
        lesson = progress.begin_lesson(ada, question.concept, question.session)
        ada.level = "advanced"
        assert progress.begin_lesson(ada, question.concept, question.session) == lesson
        assert lesson.level == Lesson.Level.BEGINNER

    def test_unknown_level_starts_as_beginner(self, ben):
        question = ask(ben)
        assert progress.begin_lesson(ben, question.concept, question.session).level == "beginner"

    def test_cycle_closes_with_the_share_right_at_the_first_attempt(self, ada):
        first = ask(ada)
        cycle, _new = progress.begin_cycle(learner=ada, session=first.session, concept=first.concept)
        right, wrong = ask(ada, cycle=cycle), ask(ada, cycle=cycle)
        answer(right, "1/2")
        answer(wrong, "1/3", "k1")
        answer(wrong, "1/2", "k2")
        closed = progress.close_cycle(cycle)
        assert (closed.quiz_score, closed.mastery_achieved) == (0.5, False)
        assert progress.close_cycle(cycle).completed_at == closed.completed_at

    def test_cycle_without_answers_has_no_score(self, ada):
        question = ask(ada)
        cycle, _new = progress.begin_cycle(learner=ada, session=question.session, concept=question.concept)
        again, _new = progress.begin_cycle(learner=ada, session=question.session, concept=question.concept)
        assert again == cycle
        assert progress.close_cycle(cycle).quiz_score is None

    def test_cycle_after_a_closed_one_has_the_next_number(self, ada):
        question = ask(ada)
        of = {"learner": ada, "session": question.session, "concept": question.concept}
        progress.close_cycle(progress.begin_cycle(**of)[0])
        assert progress.begin_cycle(**of)[0].number == 2
        assert progress.begin_cycle(**of)[0].number == 2


class TestCost:
    def test_mastery_update_with_its_writes_is_seven_queries(self, ada, django_assert_num_queries):
        """G2"""
        solve(ada, "shaded")
        question = ask(ada)
        attempt = answer(question, "1/3").attempt
        MasteryChange.objects.filter(attempt=attempt).delete()
        question = Question.objects.with_course().get(pk=question.pk)
        question.concept.course.catalogue()
        with django_assert_num_queries(7):
            progress.evidence.change_mastery(attempt, question=question)

    def test_whole_answer_is_seventeen_queries_at_most(self, ada, django_assert_max_num_queries):
        solve(ada, "shaded")
        question = ask(ada)
        with django_assert_max_num_queries(17):
            record_attempt(question, learner=ada, answer="1/2", idempotency_key="k1")
