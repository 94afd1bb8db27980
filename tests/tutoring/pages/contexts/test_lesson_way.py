"""How many steps a lesson still has: mistakes in the quiz bring another round."""

from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from tutoring.lesson.state import LessonState
from tutoring.pages.contexts.lesson_way import QUESTIONS_IN_QUIZ, steps_left


@pytest.mark.parametrize(
    ("asked", "marks", "left"),
    [
        (1, (), QUESTIONS_IN_QUIZ),
        (4, ("done", "done", "done"), 1),
        (4, ("helped", "done", "done", "done"), 1),
        (4, ("done", "helped", "done"), 2),
        (4, ("helped", "helped", "done"), 2 + QUESTIONS_IN_QUIZ),
    ],
)
def test_mistakes_in_a_quiz_add_steps(asked, marks, left):
    held = LessonState()
    quiz = replace(held.cycle, state="quiz_active", asked=("one-half",) * asked)
    assert steps_left(replace(held, cycle=quiz), marks) == left


def test_a_later_round_counts_only_what_is_left():
    way = {"steps": [], "done": 9, "here": 10, "total": 15, "left": 6, "again": True, "over": False, "next": ""}
    header = render_to_string("conversations/conversation.html#milestones", {"way": way})
    assert "About 6 more steps" in header
    assert "15" not in header
