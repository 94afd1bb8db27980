"""A short lesson on one misconception, made of what the course has: a case, the idea, a worked example, a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from conversations.web.markup import inline_to_html
from tutoring.courses.catalogue import CourseContent, Misconception, Template
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.models import Course
from tutoring.pages.cards.question_context import block_html

CASE_MINUTES, IDEA_MINUTES, EXAMPLE_MINUTES, QUESTION_MINUTES = 3, 2, 3, 2
"""Chosen by hand: ten minutes in all."""
SPOKEN_KINDS = ("numeric", "choice", "set", "expression", "multi")
"""Kinds of questions that a class can answer aloud or on paper."""
EXAMPLE_SEED, QUESTION_SEED = 11, 12
"""Always the same numbers, so that a printed lesson is the one on the screen; the two parts have different ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPart:
    """One part of a lesson: what all see, and what is shown after they have thought about it."""

    title: str
    minutes: int
    blocks: tuple[SafeString, ...]
    answer: tuple[SafeString, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MiniLesson:
    """A lesson on a misconception."""

    id: str
    says: str
    """The mistaken idea in words."""
    correct_idea: str
    concept: str
    """The id of the concept that it belongs to; empty if it belongs to none."""
    parts: tuple[LessonPart, ...]

    @property
    def minutes(self) -> int:
        return sum(part.minutes for part in self.parts)


def mini_lesson_of(course: Course, misconception: str) -> MiniLesson | None:
    """Return the lesson on a misconception of the course; None if the course does not have it."""
    content = course.catalogue()
    known = content.misconceptions.get(misconception)
    if known is None:
        return None
    parts = [_case(known), _idea(known)]
    showing = list(_templates_showing(content, known))
    if example := _worked_example(showing, content):
        parts.append(example)
    if question := _question(showing, content, known):
        parts.append(question)
    return MiniLesson(
        id=known.id,
        says=known.says,
        correct_idea=known.correct_idea,
        concept=next(iter(known.concepts), showing[0].concept if showing else ""),
        parts=tuple(parts),
    )


def _case(known: Misconception) -> LessonPart:
    case = known.contrast
    right = (format_html("<p>{}</p>", inline_to_html(case.right, stacks=True)),) if case.right else ()
    return LessonPart(
        title=_("Look at this"),
        minutes=CASE_MINUTES,
        blocks=tuple(block_html(block) for block in case.blocks),
        answer=right,
    )


def _idea(known: Misconception) -> LessonPart:
    asked = format_html("<p>{}</p>", _("In pairs: say in your own words why. Then compare."))
    true = format_html("<p>{}</p>", inline_to_html(known.correct_idea, stacks=True))
    return LessonPart(title=_("What is true?"), minutes=IDEA_MINUTES, blocks=(asked,), answer=(true,))


def _templates_showing(content: CourseContent, known: Misconception) -> Iterator[Template]:
    """Yield the questions on which the misconception shows, those of its own concepts first."""
    concepts = sorted(content.concepts, key=lambda each: each.id not in known.concepts)
    for concept in concepts:
        yield from (each for each in concept.templates if known.id in each.misconceptions)


def _worked_example(showing: Sequence[Template], content: CourseContent) -> LessonPart | None:
    """Return an example with its working; none without a question whose numbers change, which would be given away."""
    template = next((each for each in showing if each.params and each.solution and each.kind in SPOKEN_KINDS), None)
    if template is None:
        return None
    exercise = make_exercise(template, seed=EXAMPLE_SEED, course=content)
    return LessonPart(
        title=_("Work it out together"),
        minutes=EXAMPLE_MINUTES,
        blocks=_asked(exercise),
        answer=tuple(block_html(line) for line in exercise.solution),
    )


def _question(showing: Sequence[Template], content: CourseContent, known: Misconception) -> LessonPart | None:
    fitting = [each for each in showing if each.kind in SPOKEN_KINDS]
    drawn = (make_exercise(each, seed=QUESTION_SEED, course=content) for each in reversed(fitting))
    exercise = next((each for each in drawn if _answer_with(each, known.id) and right_answers(each)), None)
    if exercise is None:
        return None
    rows = (
        (_("Right answer:"), _answer_html(exercise, right_answers(exercise)[0])),
        (_("With the mistaken idea:"), _answer_html(exercise, _answer_with(exercise, known.id))),
    )
    told = format_html_join("", "<p>{} <strong>{}</strong></p>", rows)
    return LessonPart(
        title=_("One question for all"), minutes=QUESTION_MINUTES, blocks=_asked(exercise), answer=(told,)
    )


def _asked(exercise: Exercise) -> tuple[SafeString, ...]:
    """Return the question as pupils see it, without a place to answer."""
    blocks = [block_html(exercise.stem)]
    if exercise.picture is not None:
        blocks.append(block_html(exercise.picture))
    if exercise.choices:
        items = (
            (each.letter, inline_to_html(each.text, stacks=True), block_html(each.picture) if each.picture else "")
            for each in exercise.choices
        )
        rows = format_html_join("", '<li><span class="letter">{}</span> {}{}</li>', items)
        blocks.append(format_html('<ul class="lesson-choices">{}</ul>', rows))
    return tuple(blocks)


def _answer_with(exercise: Exercise, misconception: str) -> str:
    """Return the wrong answer that the misconception gives; empty if none."""
    return next((answer for answer, ids in exercise.wrong.items() if misconception in ids), "")


def _answer_html(exercise: Exercise, answer: str) -> SafeString:
    texts = {each.letter: each.text for each in exercise.choices}
    shown = f"{answer}: {texts[answer]}" if texts.get(answer) else answer
    return inline_to_html(shown, stacks=True)
