"""`manage.py refit`: what a refit would change, and why it is or is not accepted."""

from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from bench.simulated_logs import Course as SimulatedCourse
from bench.simulated_logs import history
from tests.tutoring.mastery.records.test_parameter_refits import COHORT, course_of, remember
from tests.tutoring.small_course import make_course
from tutoring.mastery.records import parameter_refits
from tutoring.models import Parameters

COURSE = SimulatedCourse(learners=240, skills=2, items=8, each=8, spread=0.8, item_spread=0.5)


@pytest.fixture
def refit(capsys):
    """Run the command and return what it prints."""

    def run(**options):
        call_command("refit", **options)
        return capsys.readouterr().out

    return run


@pytest.fixture
def log(tmp_path):
    """Write answers as a log and return its path."""

    def write(rows):
        path = tmp_path / "answers.tsv"
        lines = [f"u{each.learner}\t{each.item}\t{each.concept}\t{int(each.correct)}\t" for each in rows]
        path.write_text("\n".join(["user\titem\tskill\tcorrect\ttime", *lines]), encoding="utf-8")
        return path

    return write


def test_log_is_fitted_and_compared_without_a_database(refit, log):
    rows = history(COURSE, seed=4)
    told = refit(log=log(rows))
    assert f"answers.tsv: {len(rows):,} first attempts by 240 learners" in told
    assert "\n  accepted\n" in told
    assert all(f"\n  skill-{number}: initial 0.50 → " in told for number in range(2))
    assert "calibration error 0." in told
    assert told.count("shared by all: item slope, known 1.50 → ") == 1


def test_log_with_too_few_answers_is_said(refit, log):
    assert refit(log=log(history(replace(COURSE, learners=20), seed=4))) == (
        "answers.tsv: too few answers: a concept needs 300 first attempts by 40 learners\n"
    )


def test_faulty_log_is_told_with_its_line(refit, tmp_path):
    path = tmp_path / "answers.tsv"
    path.write_text("user\titem\tskill\tcorrect\nu\ti\ts\tperhaps\n", encoding="utf-8")
    with pytest.raises(CommandError, match="line 2"):
        refit(log=path)


@pytest.mark.parametrize("option", [{"apply": True}, {"course": "fractions"}])
def test_log_cannot_come_into_force(refit, log, option):
    with pytest.raises(CommandError, match="A log says nothing"):
        refit(log=log([]), **option)


@pytest.mark.db
@pytest.mark.django_db
class TestCourses:
    def test_showing_changes_nothing_and_applying_does(self, refit):
        concept = make_course().concepts.select_related("course").get(slug="one_half")
        remember(concept)
        told = refit()
        assert "\n  accepted\n" in told
        assert "\n  one_half: initial 0.50 → 0." in told
        assert not Parameters.objects.exists()
        assert refit(apply=True) == f"{told}  active as version 1\n"
        assert course_of(concept).parameters.version == 1
        again = refit(apply=True)
        assert "not accepted: the log-loss must fall by at least 0.5%" in again
        assert "stored as version 2, not active" in again
        assert course_of(concept).parameters.version == 1

    def test_what_was_chosen_by_hand_stays(self, refit):
        concept = make_course().concepts.select_related("course").get(slug="one_half")
        remember(concept)
        parameter_refits.use_priors([concept.course_id])
        assert "chosen by hand" in refit(apply=True)
        assert course_of(concept).parameters is None

    def test_course_with_few_answers_and_one_that_is_not_there_are_said(self, refit):
        concept = make_course().concepts.select_related("course").get(slug="one_half")
        remember(concept, replace(COHORT, learners=5))
        assert "too few answers" in refit(course=concept.course.slug)
        with pytest.raises(CommandError, match="no course 'nowhere'"):
            refit(course="nowhere")
