"""The class of simulated learners."""

import io
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from tests.tutoring.courses.conftest import TINY
from tutoring.classes import demo_class
from tutoring.course_storage import store_course
from tutoring.courses.files.loader import read_course
from tutoring.models import Attempt, Classroom, Course, Mastery, MasteryChange, Membership, Question

pytestmark = pytest.mark.django_db


@pytest.fixture
def course(monkeypatch):
    monkeypatch.setattr(demo_class, "NAMES", ("Ben", "Sami"))
    store_course(read_course(TINY), position=0)
    return Course.objects.get()


def told():
    out = io.StringIO()
    call_command("make_demo_class", stdout=out)
    return out.getvalue()


def answers():
    return list(Attempt.objects.order_by("pk").values_list("learner__username", "answer", "correct"))


def test_history_is_of_six_weeks_and_went_through_the_estimator(course, grace):
    assert told() == "demo-4b: 2 simulated learners of Tiny, taught by grace\n"
    now = timezone.now()
    made = Classroom.objects.get()
    assert made.memberships.filter(role=Membership.Role.LEARNER).count() == 2
    assert made.policy.changed_at <= made.memberships.earliest("joined_at").joined_at
    given = Attempt.objects.order_by("created_at").values_list("created_at", flat=True)
    assert now - timedelta(weeks=6, days=1) < given[0] < now - timedelta(weeks=4)
    assert given[len(given) - 1] < now
    assert not Attempt.objects.filter(learner__username="demo-sami").exists()
    assert not Question.objects.filter(status="open").exists()
    for row in Mastery.objects.all():
        last = MasteryChange.objects.filter(mastery=row).order_by("-pk").select_related("attempt")[0]
        assert (last.after, last.attempt.created_at) == (row.probability, row.last_at)


def test_same_class_comes_each_time_and_only_once_with_a_teacher_of_its_own_if_there_is_none(course):
    assert "taught by demo-teacher" in told()
    first = answers()
    assert told() == "The class demo-4b already exists.\n"
    assert answers() == first
    Classroom.objects.all().delete()
    get_user_model().objects.filter(username__startswith="demo-").delete()
    told()
    assert answers() == first


def test_house_without_a_course_is_told_what_to_do(db):
    with pytest.raises(CommandError, match="load_courses"):
        told()


def test_class_that_was_broken_off_goes_on_where_it_stopped(course, monkeypatch):
    """G3: each answer is stored by itself, so that a server beside it can write."""
    whole = demo_class._ask_and_answer
    told()
    expected = {*answers()}
    Classroom.objects.all().delete()
    get_user_model().objects.filter(username__startswith="demo-").delete()

    def broken_off(*arguments, **options):
        if Attempt.objects.count() == 3:
            raise OperationalError("database is locked")
        whole(*arguments, **options)

    monkeypatch.setattr(demo_class, "_ask_and_answer", broken_off)
    with pytest.raises(OperationalError):
        told()
    kept = answers()
    assert kept
    assert not Classroom.objects.exists()
    monkeypatch.setattr(demo_class, "_ask_and_answer", whole)
    assert "2 simulated learners" in told()
    assert {*answers()} == expected
    assert answers()[: len(kept)] == kept
