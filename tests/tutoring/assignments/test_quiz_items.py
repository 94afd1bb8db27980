"""The questions of a quiz: the same for the same seed, shared among topics, and on paper with a key that is right."""

import pytest
from django.utils import timezone

from tests.tutoring.assignments.helpers import assign, class_of, question_of, right
from tests.tutoring.review_helpers import load_tiny
from tutoring.assignments.changes import AssignmentDraft, change_assignment
from tutoring.assignments.live_quizzes import move_on, start_live
from tutoring.assignments.quiz_items import draw_exercises, exercises_of, replace_withdrawn
from tutoring.assignments.quiz_papers import paper_key
from tutoring.grading import grade
from tutoring.mastery.records import withdrawals
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import Assignment, Course

pytestmark = pytest.mark.django_db


def stems(exercises):
    return [each.stem for each in exercises]


def test_same_seed_draws_the_same_and_another_version_asks_the_same_with_other_numbers():
    course = load_tiny().catalogue()
    paper, again, other = (draw_exercises(course, ["adding"], count=4, seed=7, version=each) for each in (0, 0, 1))
    assert stems(paper) == stems(again) != stems(other)
    assert [each.template for each in paper] == [each.template for each in other]
    assert len(set(stems(paper))) == 4


def test_questions_are_shared_among_topics_and_topics_without_exercises_get_none():
    drawn = draw_exercises(load_tiny().catalogue(), ["halves", "sharing", "adding"], count=5, seed=1)
    assert [each.concept for each in drawn] == ["halves"] * 3 + ["adding"] * 2


def test_quiz_longer_than_its_templates_repeats_them_with_other_numbers():
    drawn = draw_exercises(load_tiny().catalogue(), ["adding"], count=12, seed=3)
    assert len(set(stems(drawn))) > len({each.template for each in drawn})


def test_known_wrong_answers_on_the_key_are_wrong_and_its_answers_right():
    course = load_tiny().catalogue()
    drawn = draw_exercises(course, ["halves", "adding"], count=8, seed=5)
    key = paper_key(drawn, course.misconceptions)
    assert any(each["idea"] for one in key for each in one["wrong"])
    for exercise, one in zip(drawn, key, strict=True):
        if exercise.kind == "numeric":
            answer = str(one["answer_html"]).partition('<span class="frac"')[0] or exercise.key.value
            assert grade(exercise.key, answer).is_correct
            assert not any(grade(exercise.key, wrong).is_correct for wrong in exercise.wrong)


def test_items_stay_as_they_were_drawn_when_the_course_changes(grace):
    quiz = assign(class_of(grace), "quiz", "adding")
    before = stems(exercises_of(quiz))
    Course.objects.update(source_hash="new", content=Course.objects.get().content | {"concepts": []})
    stored = Assignment.objects.get()
    assert stems(exercises_of(stored)) == before == stems(exercises_of(stored, version=1))


class TestWithdrawnQuestions:
    def withdraw(self, course, template, classroom, by):
        withdrawals.withdraw(course, template, classroom, with_answers=False, reason="", by=by)
        replace_withdrawn(Course.objects.get(), template, classroom)

    def test_are_neither_drawn_nor_printed(self, grace):
        classroom = class_of(grace)
        gone = assign(classroom, "quiz", "adding", questions=1).items.get().template
        withdrawals.withdraw(Course.objects.get(), gone, classroom, with_answers=False, reason="", by=grace)
        quiz = assign(classroom, "quiz", "adding", questions=12)
        assert gone not in {each.template for version in (0, 1) for each in exercises_of(quiz, version=version)}

    def test_are_replaced_where_they_are_not_answered_yet(self, grace, ada, ben):
        classroom = class_of(grace, ada, ben)
        quiz = assign(classroom, "quiz", "adding")
        answered, opened = question_of(quiz, ada), question_of(quiz, ben)
        record_attempt(answered, learner=ada, answer=right(answered), idempotency_key="k")
        self.withdraw(quiz.course, opened.template, classroom, grace)
        assert question_of(quiz, ben).template == quiz.items.get(number=1).template != opened.template
        assert question_of(quiz, ada) == answered

    def test_stay_in_a_quiz_that_was_due_and_answered(self, grace, ada):
        quiz = assign(class_of(grace, ada), "quiz", "adding")
        answered = question_of(quiz, ada)
        record_attempt(answered, learner=ada, answer=right(answered), idempotency_key="k")
        Assignment.objects.update(due_at=timezone.now())
        self.withdraw(quiz.course, answered.template, quiz.classroom, grace)
        assert quiz.items.get(number=1).template == answered.template

    def test_stay_in_a_live_quiz_that_has_reached_them(self, grace, ada):
        classroom = class_of(grace, ada)
        quiz = assign(classroom, "quiz", "adding", is_live=True)
        live = start_live(quiz)
        move_on(live, seen=live.mark)
        before = quiz.items.get(number=1).template
        self.withdraw(quiz.course, before, classroom, grace)
        assert quiz.items.get(number=1).template == before


def test_questions_do_not_change_once_a_pupil_has_started(grace, ada):
    quiz = assign(class_of(grace, ada), "quiz", "adding")
    draft = AssignmentDraft(
        fields={"seed": 99, "title": "Other"}, concepts=list(quiz.concepts.all()), groups=(), people=()
    )
    before = stems(exercises_of(quiz))
    change_assignment(quiz, draft)
    redrawn = stems(exercises_of(quiz))
    assert redrawn != before
    question_of(quiz, ada)
    change_assignment(quiz, draft)
    assert stems(exercises_of(quiz)) == redrawn
