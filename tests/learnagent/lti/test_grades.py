"""Grades for the platform: the score that pages show, sent once, tried again, and only where the class agrees."""

from datetime import timedelta

import pytest
from django.utils import timezone

from learnagent.lti import grades
from learnagent.lti.grades import attempt_grade, notice_scores, send_again, send_due_grades
from learnagent.lti.models import Grade, PlatformAccount
from tests.learnagent.lti.platform_server import TEACHER
from tutoring.models import Classroom, Mastery, Policy

pytestmark = [pytest.mark.db, pytest.mark.django_db]
NONE, WAITING, SENT, GIVEN_UP = Grade.Status.values
SCORES = "/lineitems/1/scores"


@pytest.fixture
def grade(client, enter, taught, half, trusted):
    """A learner who has joined the class from a link that takes scores, and has answered enough for a score."""
    address = enter(concept="fractions/one_half", grades=True)["Location"]
    client.post(address)
    learn(half, probability=0.4)
    return Grade.objects.get()


def learn(concept, *, probability):
    fields = {
        "probability": probability,
        "threshold": 0.85,
        "answers": 9,
        "unassisted": 9,
        "templates": ["a", "b", "c"],
    }
    learner = PlatformAccount.objects.get(subject="user-1").person
    row, _created = Mastery.objects.update_or_create(learner=learner, concept=concept, defaults=fields)
    return row


def attempt(grade, *, at=None):
    at = at or timezone.now()
    notice_scores(at=at)
    attempt_grade(grade.pk, at=at)
    grade.refresh_from_db()
    return grade


def test_the_score_arrives(lms, grade, half):
    attempt(grade)
    [sent] = lms.scores
    shown = Mastery.objects.get().score
    assert (sent["userId"], sent["scoreGiven"], sent["scoreMaximum"]) == ("user-1", round(100 * shown), 100)
    assert (sent["activityProgress"], sent["gradingProgress"], sent["line_item"]) == ("InProgress", "FullyGraded", "1")
    assert (grade.status, grade.answer, grade.tries) == (SENT, "200", 1)


def test_a_score_is_sent_once_and_a_new_one_again(lms, grade, half):
    attempt(grade)
    attempt(grade)
    assert len(lms.scores) == 1
    learn(half, probability=0.99)
    attempt(grade, at=timezone.now() + timedelta(minutes=1))
    assert [each["activityProgress"] for each in lms.scores] == ["InProgress", "Completed"]
    assert lms.requests.count("/token") == 1


def test_a_score_that_was_lost_on_the_way_back_counts_once(lms, grade):
    attempt(grade)
    Grade.objects.update(status=WAITING)
    attempt(grade)
    assert (len(lms.scores), grade.status, grade.answer) == (1, SENT, "409")


def test_few_answers_are_no_score(lms, grade):
    Mastery.objects.update(answers=1)
    assert attempt(grade).status == NONE


@pytest.mark.parametrize(
    "policy", [{"mastery": Policy.Progress.NOTHING}, {"sends_grades": False}, {"platform": ""}], ids=str
)
def test_the_agreement_decides(lms, grade, policy):
    Policy.objects.update(**policy)
    assert attempt(grade).status == NONE
    # What waits when the agreement changes is not sent either.
    Grade.objects.update(status=WAITING, score=50, scored_at=timezone.now())
    assert attempt(grade).status == WAITING
    assert "/token" not in lms.requests


def test_who_left_the_class_gets_no_grades(lms, grade):
    Classroom.objects.get().memberships.filter(role="learner").delete()
    assert attempt(grade).status == NONE


def test_a_teacher_who_opens_the_link_changes_nothing(lms, enter, grade):
    enter(concept="fractions/one_half", user_id="teacher-1", lis_roles=[TEACHER])
    assert attempt(grade).status == SENT
    assert len(lms.scores) == 1


def test_a_link_that_takes_no_scores_gets_none(enter, grade):
    enter(concept="fractions/one_half")
    assert attempt(grade).status == NONE


@pytest.mark.parametrize(("path", "status"), [("/token", 500), (SCORES, 503), (SCORES, 429), (SCORES, "redirect")])
def test_a_platform_that_is_away_is_asked_again_later(lms, grade, path, status):
    lms.behavior[path] = status
    at = timezone.now()
    attempt(grade, at=at)
    if status == "redirect":
        assert (grade.status, "/moved" in lms.requests) == (GIVEN_UP, False)
        return
    assert (grade.status, grade.tries, grade.next_at) == (WAITING, 1, at + timedelta(minutes=1))
    attempt(grade, at=at)
    assert grade.next_at == at + timedelta(minutes=2)
    lms.behavior.clear()
    assert attempt(grade, at=at).status == SENT


def test_a_score_is_given_up_after_three_days_and_can_be_sent_again(lms, grade):
    lms.behavior[SCORES] = 503
    at = timezone.now()
    attempt(grade, at=at)
    attempt_grade(grade.pk, at=at + timedelta(days=3))
    grade.refresh_from_db()
    assert (grade.status, grade.answer) == (GIVEN_UP, "503")
    lms.behavior.clear()
    assert send_again(Grade.objects.all(), at=timezone.now()) == 1
    assert attempt(grade).status == SENT


def test_what_the_platform_refuses_is_not_repeated(lms, grade):
    lms.behavior[SCORES] = 404
    assert attempt(grade).status == GIVEN_UP


def test_an_old_token_is_replaced(lms, grade):
    lms.behavior[SCORES] = 401
    attempt(grade)
    lms.behavior.clear()
    assert attempt(grade).status == SENT
    assert lms.requests.count("/token") == 2


def test_scores_go_to_no_address_inside_that_nobody_entered(lms, grade):
    grade.link.line_item = "https://10.0.0.1/lineitems/1"
    grade.link.save()
    assert attempt(grade).status == WAITING
    assert "no public page" in grade.answer


def test_a_look_takes_as_many_queries_for_two_as_for_one(
    enter, client, grade, half, monkeypatch, django_assert_num_queries
):
    ordered = []
    monkeypatch.setattr(type(grades.send_grade), "enqueue", lambda _task, pk: ordered.append(pk))
    other = enter(concept="fractions/one_half", grades=True, user_id="user-2")["Location"]
    client.post(other)
    with django_assert_num_queries(3):
        notice_scores(at=timezone.now())
    send_due_grades()
    assert ordered == [grade.pk]
    send_due_grades()
    assert ordered == [grade.pk]
