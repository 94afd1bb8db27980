"""What is offered at a lesson's end."""

from dataclasses import replace

from tests.tutoring.halves_course import COURSE, HALF
from tutoring.lesson.facts import LessonFacts
from tutoring.roles.explanation.lesson_endings import next_step_offer

AT_THE_END = LessonFacts(
    turn_id="11111111-1111-4111-8111-111111111111",
    seed=1,
    kind="message",
    course=COURSE,
    concept=HALF,
    level="beginner",
)


def test_the_last_lesson_of_a_course_leaves_ways_on() -> None:
    said, ways = next_step_offer(AT_THE_END)
    assert f"/learn/{COURSE.id}/" in str(said)
    assert list(ways.content["options"]) == ["Quiz me", "That’s enough for today"]


def test_it_is_said_once_and_the_ways_stay() -> None:
    said, _ways = next_step_offer(AT_THE_END)
    (ways,) = next_step_offer(replace(AT_THE_END, told=(str(said),)))
    assert ways.kind == "replies"
