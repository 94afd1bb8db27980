"""The nightly refit: from stored answers to parameters in force, and how answers are weighed by them."""

from dataclasses import asdict, replace
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from agents.periodic_work import run_due_jobs
from bench.simulated_logs import Course as SimulatedCourse
from bench.simulated_logs import history as simulated
from learnagent.operations.periodic_jobs import PERIODIC_JOBS
from tests.tutoring.small_course import ask, choice, make_course, make_turn, numeric
from tutoring.courses.exercises import serialization
from tutoring.dialogue.queries.lesson_facts import gather_lesson_facts
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, Belief, SkillParameters
from tutoring.mastery.parameter_fitting import em
from tutoring.mastery.records import parameter_refits
from tutoring.mastery.records.path_planning import ability_of, standings_of
from tutoring.mastery.records.progress import begin_lesson, give_up, note_self_explanation, record_attempt
from tutoring.models import Attempt, Course, Mastery, MasteryChange, Parameters, Question

pytestmark = [pytest.mark.db, pytest.mark.django_db]
ODD = SkillParameters(initial=0.2, learn=0.3, forget=0.01, known_base=0.75, unknown_shift=0.6)
COHORT = SimulatedCourse(learners=60, skills=1, items=6, each=8, truth=replace(ODD, learn=0.2), item_spread=0.4)


@pytest.fixture
def concept():
    return make_course().concepts.select_related("course").get(slug="one_half")


def remember(concept, cohort=COHORT, seed=3):
    """Store a simulated cohort's answers as if they had been given here, a minute apart."""
    log, people = simulated(cohort, seed=seed), get_user_model().objects
    # Of numbers of their own, which decide who is held out, on every database alike.
    learners = people.bulk_create(
        people.model(pk=1000 * seed + number, username=f"simulated-{seed}-{number}")
        for number in range(cohort.learners)
    )
    rows = Mastery.objects.bulk_create(
        Mastery(
            learner=learner, concept=concept, probability=0.5, threshold=0.85, last_at=timezone.now(),
            answers=(own := sum(each.learner == number for each in log)), unassisted=own,
        )
        for number, learner in enumerate(learners)
    )  # fmt: skip
    exercises = {
        kind: serialization.exercise_to_json(made) for kind, made in (("numeric", numeric()), ("choice4", choice()))
    }
    questions = Question.objects.bulk_create(
        Question(**exercises[each.kind] | {"template": each.item}, learner=learners[each.learner], concept=concept)
        for each in log
    )
    begun = timezone.now() - timedelta(days=9)
    attempts = Attempt.objects.bulk_create(
        Attempt(
            question=question, learner_id=question.learner_id, correct=each.correct, assisted=False, number=1, score=0,
            created_at=begun + timedelta(minutes=minute),
        )
        for minute, (question, each) in enumerate(zip(questions, log, strict=True))
    )  # fmt: skip
    MasteryChange.objects.bulk_create(
        MasteryChange(mastery=rows[each.learner], attempt=attempt, before=0.5, difficulty=0, after=0.5, predicted=0.5)
        for attempt, each in zip(attempts, log, strict=True)
    )
    return log


def in_force(concept, skill=ODD, *, accepted=True):
    """Store parameters of the concept and put them in force."""
    row = Parameters.objects.create(
        course=concept.course, version=1, values={concept.slug: asdict(skill)}, answers=400, learners=50,
        loss_before=0.6, loss_after=0.5, worst_calibration=0.0, accepted=accepted,
    )  # fmt: skip
    if accepted:
        parameter_refits.put_in_force(row)
    concept.refresh_from_db()
    return row


def course_of(concept):
    return Course.objects.get(pk=concept.course_id)


class TestHistory:
    def test_stored_answers_come_back_in_order(self, concept):
        log = remember(concept, replace(COHORT, learners=3))
        found = list(parameter_refits.answer_history(concept.course))
        assert [each.correct for each in found] == [each.correct for each in log]
        assert [each.item for each in found] == [each.item for each in log]
        assert {each.kind for each in found} == {"numeric", "choice2"}
        assert {(each.concept, each.offset) for each in found} == {("one_half", 0.0)}

    def test_what_was_answered_is_told_as_it_was_weighed(self, ada):
        hard = ask(ada, numeric("hard", difficulty="hard"))
        record_attempt(hard, learner=ada, answer="1/3", idempotency_key="1")
        record_attempt(hard, learner=ada, answer="1/2", idempotency_key="2")
        give_up(ask(ada, choice()), learner=ada, idempotency_key="1")
        first, retry, given_up = parameter_refits.answer_history(hard.concept.course)
        assert (first.learner, first.item, first.offset, first.correct) == (ada.pk, "hard", -0.8, False)
        assert retry.correct is None
        assert (given_up.kind, given_up.correct) == ("constructed", False)

    def test_where_a_placement_began_is_told(self, ada, concept):
        Mastery.objects.create(learner=ada, concept=concept, probability=0.7, placed=0.7, threshold=0.85)
        record_attempt(ask(ada), learner=ada, answer="1/2", idempotency_key="1")
        assert [each.placed for each in parameter_refits.answer_history(concept.course)] == [0.7]

    def test_more_learners_than_there_is_room_for_leave_out_whole_those_of_long_ago(self, concept, monkeypatch):
        log = remember(concept, replace(COHORT, learners=6))
        Mastery.objects.filter(learner__username="simulated-3-2").update(last_at=timezone.now() + timedelta(days=1))
        kept = sum(each.learner == 2 for each in log)
        monkeypatch.setattr(parameter_refits, "ANSWERS_AT_MOST", kept)
        found = list(parameter_refits.answer_history(concept.course))
        assert [each.correct for each in found] == [each.correct for each in log if each.learner == 2]


class TestRefit:
    def test_better_parameters_come_into_force(self, concept):
        remember(concept)
        row = parameter_refits.refit_course(concept.course)
        assert (row.version, row.accepted, row.learners) == (1, True, 60)
        assert row.loss_after <= 0.995 * row.loss_before
        assert course_of(concept).parameters == row
        skill = course_of(concept).skills()["one_half"]
        assert skill == row.skills()["one_half"] != DEFAULT_SKILL
        assert skill.initial < DEFAULT_SKILL.initial

    def test_worse_ones_are_kept_on_record_and_not_used(self, concept, monkeypatch):
        remember(concept)
        monkeypatch.setattr(
            em, "fit_parameters", lambda *args: {"one_half": SkillParameters(initial=0.9, known_base=0.97)}
        )
        row = parameter_refits.refit_course(concept.course)
        assert not row.accepted
        assert course_of(concept).skills() == {}
        with pytest.raises(parameter_refits.RefitNotAccepted):
            parameter_refits.put_in_force(row)

    def test_too_few_answers_leave_no_record(self, concept):
        remember(concept, replace(COHORT, learners=39))
        assert parameter_refits.refit_course(concept.course) is None
        assert not Parameters.objects.exists()

    def test_night_job_done_twice_does_nothing_twice(self, concept):
        remember(concept)
        now = timezone.now()
        nightly = [work for work in PERIODIC_JOBS if work.name == "refit of mastery"]
        assert run_due_jobs(nightly, now=now) == ["refit of mastery"]
        assert run_due_jobs(nightly, now=now) == []
        parameter_refits.refit_courses()
        assert [row.version for row in Parameters.objects.all()] == [1]

    def test_more_answers_make_another_version(self, concept):
        remember(concept)
        parameter_refits.refit_course(concept.course)
        remember(concept, replace(COHORT, learners=10), seed=4)
        again = parameter_refits.refit_course(course_of(concept))
        assert (again.version, again.learners) == (2, 70)

    def test_what_an_admin_chose_stays(self, concept):
        remember(concept)
        parameter_refits.use_priors([concept.course_id])
        row = parameter_refits.refit_course(course_of(concept))
        assert row.accepted
        assert course_of(concept).parameters is None
        parameter_refits.leave_to_refits([concept.course_id])
        assert not course_of(concept).parameters_chosen

    def test_what_was_chosen_while_it_was_fitted_stays(self, concept):
        remember(concept)
        looked_at = course_of(concept)
        other = in_force(concept)
        parameter_refits.leave_to_refits([concept.course_id])
        parameter_refits.refit_course(looked_at)
        assert course_of(concept).parameters == other

    def test_course_goes_with_its_refits(self, concept):
        in_force(concept)
        course_of(concept).delete()
        assert not Parameters.objects.exists()


class TestInForce:
    def test_answers_are_weighed_by_them(self, ada, concept):
        in_force(concept)
        change = record_attempt(ask(ada), learner=ada, answer="1/2", idempotency_key="1").change
        first = knowledge_tracing.initial_belief(None, ODD)
        update = knowledge_tracing.observe(
            first, ability=knowledge_tracing.AbilityEstimate(), item=knowledge_tracing.DifficultyOffset(), correct=True, kind="numeric",
            template="shaded", assisted=False, skill=ODD,
        )  # fmt: skip
        assert (change.before, change.predicted) == (pytest.approx(0.2), pytest.approx(update.predicted))
        assert change.after == pytest.approx(update.after)

    def test_masteries_that_are_stored_stay_as_they_are(self, ada, concept):
        record_attempt(ask(ada), learner=ada, answer="1/2", idempotency_key="1")
        before = Mastery.objects.get().probability
        in_force(concept)
        assert Mastery.objects.get().probability == before
        question = ask(ada)
        assert record_attempt(question, learner=ada, answer="1/2", idempotency_key="1").change.before == before
        before = Mastery.objects.get().probability
        gained = note_self_explanation(ada, question.concept)
        assert gained == pytest.approx(max(0, min(5 / 6, before * 0.99 + (1 - before) * 0.3) - before))

    def test_threshold_above_the_scale_is_judged_by_them(self, ada, concept):
        in_force(concept, replace(ODD, learn=0.5))
        belief = Belief(probability=0.97, answers=5, unassisted=5, templates=frozenset("ab"))
        row = Mastery(learner=ada, concept=concept, threshold=0.95)
        row.take(belief, at=timezone.now())
        assert row.is_mastered == knowledge_tracing.is_mastered(belief, threshold=0.95, skill=replace(ODD, learn=0.5))
        assert row.is_mastered != knowledge_tracing.is_mastered(belief, threshold=0.95)

    def test_lessons_choose_questions_by_them(self, ada, concept):
        in_force(concept)
        turn = make_turn(ada)
        begin_lesson(ada, concept, turn.session)
        facts = gather_lesson_facts(TurnRows(turn))
        assert facts.skill("one_half") == ODD
        assert facts.skill("equal_parts") == DEFAULT_SKILL
        assert facts.beliefs["one_half"].probability == pytest.approx(0.2)
        assert facts.beliefs["equal_parts"].probability == pytest.approx(0.5)
        standings = standings_of(ada.pk, concept.course, placed={}, ability=ability_of(ada.pk))
        assert [each.probability for each in standings.values()] == [pytest.approx(0.5), pytest.approx(0.2)]

    def test_new_version_acts_at_once_and_costs_a_query_once(self, ada, concept):
        def queries_of_an_answer():
            question = ask(ada)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                record_attempt(question, learner=ada, answer="1/2", idempotency_key="1")
            return len(queries)

        queries_of_an_answer()
        without = queries_of_an_answer()
        in_force(concept)
        assert [queries_of_an_answer() for _ in range(3)] == [without + 1, without, without]
        parameter_refits.use_priors([concept.course_id])
        assert course_of(concept).skills() == {}

    def test_fields_of_another_version_of_the_program_are_passed_over(self, concept):
        row = in_force(concept)
        row.values["one_half"]["unheard_of"] = 1
        del row.values["one_half"]["learn"]
        assert row.skills() == {"one_half": replace(ODD, learn=DEFAULT_SKILL.learn)}


class TestAdminPage:
    LIST = reverse("admin:tutoring_parameters_changelist")

    @pytest.fixture
    def admin(self, root):
        client = Client()
        client.force_login(root)
        return client

    def act(self, admin, action, *rows):
        chosen = {"action": action, "_selected_action": [str(row.pk) for row in rows]}
        return admin.post(self.LIST, chosen, follow=True).text

    def test_figures_are_shown(self, admin, concept):
        assert "0 refitted mastery models" in admin.get(self.LIST).text
        row = in_force(concept)
        assert "+16.7%" in admin.get(self.LIST).text
        page = admin.get(reverse("admin:tutoring_parameters_change", args=[row.pk])).text
        assert "one_half" in page
        assert "learn 0.300" in page

    def test_refit_is_put_in_use_and_out_of_it(self, admin, concept):
        row = in_force(concept)
        assert "The original model is in use again" in self.act(admin, "use_priors", row)
        assert (course_of(concept).parameters, course_of(concept).parameters_chosen) == (None, True)
        assert "1 refitted model is in use" in self.act(admin, "use", row)
        assert (course_of(concept).parameters, course_of(concept).parameters_chosen) == (row, True)
        assert "will be used automatically" in self.act(admin, "leave_to_refits", row)
        assert (course_of(concept).parameters, course_of(concept).parameters_chosen) == (row, False)

    def test_refit_that_was_not_accepted_is_not_put_in_use(self, admin, concept):
        assert "predicts no better" in self.act(admin, "use", in_force(concept, accepted=False))
        assert course_of(concept).parameters is None

    def test_one_course_has_one_refit_in_use(self, admin, concept):
        row = in_force(concept)
        other = Parameters.objects.get(pk=row.pk)
        other.pk, other.version = None, 2
        other.save(force_insert=True)
        assert "Choose only one refitted model per course" in self.act(admin, "use", row, other)

    def test_learners_and_teachers_do_not_see_it(self, client, ada):
        client.force_login(ada)
        assert client.get(self.LIST).status_code in (302, 404)
