"""How far pupils are, read from what happened; who gets what."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.people import make_person
from tests.tutoring.assignments.helpers import DAY, assign, class_of, question_of, right, wrong
from tests.tutoring.review_helpers import answered, master, quiz
from tutoring.assignments.audiences import all_assignments, given_to
from tutoring.assignments.changes import restore, withdraw
from tutoring.assignments.quiz_work import answer_item, start_work
from tutoring.assignments.summaries import due_this_week, summaries_of
from tutoring.classes import membership
from tutoring.models import AssignmentWork, Mastery, Membership

pytestmark = pytest.mark.django_db


def summary(classroom):
    (found,) = summaries_of(classroom, all_assignments())
    return found


def answer(quiz, person, number, text):
    item = quiz.items.select_related("assignment").get(number=number)
    question = question_of(quiz, person, number)
    return answer_item(
        start_work(quiz, person), item, question, person=person, answer=text, gives_up=False, key=f"k{number}"
    )


def test_topics_are_done_by_mastering_them_in_any_lesson(grace, ada, ben):
    classroom = class_of(grace, ada, ben)
    assign(classroom, "concept")
    master(ada)
    quiz(ben)
    found = summary(classroom)
    assert [found.progress[each.pk].state for each in (ada, ben)] == ["done", "working"]
    assert (found.done, found.left) == (1, [ben.pk])


def test_answers_count_from_the_start_of_the_assignment(grace, ada):
    classroom = class_of(grace, ada)
    assign(classroom, "concept", goal_number=2)
    quiz(ada, at=timezone.now() - 3 * DAY)
    answered(quiz(ada, right=False).question)
    assert summary(classroom).progress[ada.pk].done == 1
    quiz(ada)
    assert summary(classroom).progress[ada.pk].is_done


def test_quiz_is_handed_in_with_its_last_answer_and_counts_like_a_quiz(grace, ada):
    classroom = class_of(grace, ada)
    given = assign(classroom)
    answer(given, ada, 1, right(question_of(given, ada, 1)))
    assert summary(classroom).progress[ada.pk].state == "working"
    answer(given, ada, 2, wrong(question_of(given, ada, 2)))
    done = summary(classroom).progress[ada.pk]
    assert (done.state, done.right, done.total) == ("done", 1, 2)
    assert Mastery.objects.get(learner=ada).answers == 2


def test_answers_of_a_quiz_that_is_no_evidence_change_no_mastery(grace, ada):
    given = assign(class_of(grace, ada), is_evidence=False)
    answer(given, ada, 1, right(question_of(given, ada, 1)))
    assert not Mastery.objects.exists()


def test_path_counts_what_leads_to_its_goal(grace, ada):
    classroom = class_of(grace, ada)
    assign(classroom, "path")
    master(ada)
    assert (summary(classroom).progress[ada.pk].done, summary(classroom).progress[ada.pk].total) == (1, 2)


def test_given_to_are_the_class_its_groups_or_single_pupils_and_nobody_else(grace, ada, ben, eve):
    classroom = class_of(grace, ada, ben)
    places = {each.person_id: each for each in classroom.memberships.all()}
    group = classroom.groups.create(name="Fast")
    group.members.add(places[ada.pk])
    assign(classroom, "reading", title="all")
    assign(classroom, "reading", title="group", is_for_all=False, groups=[group])
    assign(classroom, "reading", title="single", is_for_all=False, people=[places[ben.pk]])
    titles = {each: [one.title for one in given_to(each)] for each in (ada, ben, eve, grace)}
    assert titles == {ada: ["all", "group"], ben: ["all", "single"], eve: [], grace: []}
    assert [each.total for each in summaries_of(classroom, all_assignments())] == [2, 1, 1]


def test_withdrawn_upcoming_archived_and_left_is_given_to_nobody(grace, ada):
    classroom = class_of(grace, ada)
    given = assign(classroom, "reading")
    assign(classroom, "reading", starts_at=timezone.now() + timedelta(hours=1))
    assert list(given_to(ada)) == [given]
    withdraw(given)
    assert not given_to(ada).exists()
    restore(given)
    membership.archive_class(classroom)
    assert not given_to(ada).exists()
    membership.restore_class(classroom)
    membership.leave_class(ada, "4b")
    assert not given_to(ada).exists()


def test_pupil_who_joined_when_it_was_over_has_nothing_late(grace, ada):
    classroom = class_of(grace, ada)
    assign(classroom, "reading", due_at=timezone.now() - timedelta(hours=1))
    assert summary(classroom).total == 1
    Membership.objects.filter(person=ada).update(joined_at=timezone.now())
    assert summary(classroom).total == 0
    assert not given_to(ada).exists()


def test_number_of_queries_does_not_grow_with_assignments_or_pupils(grace, ada):
    classroom = class_of(grace, ada)
    for kind in ("quiz", "concept", "path", "reading"):
        assign(classroom, kind, goal_number=3 if kind == "concept" else None)
    with CaptureQueriesContext(connection) as few:
        due_this_week(classroom, now=timezone.now())
    for number in range(3):
        membership.join_class(make_person(f"p{number}"), "4b")
        for kind in ("quiz", "concept", "path", "reading"):
            assign(classroom, kind)
    with CaptureQueriesContext(connection) as many:
        found = due_this_week(classroom, now=timezone.now())
    assert (len(found), found[0].total) == (16, 4)
    assert len(many) == len(few)


def test_deleted_class_takes_its_assignments_with_it_and_leaves_the_answers(grace, ada):
    classroom = class_of(grace, ada)
    given = assign(classroom)
    question = answer(given, ada, 1, right(question_of(given, ada, 1))).question
    classroom.delete()
    assert not AssignmentWork.objects.exists()
    assert question.attempts.count() == 1
