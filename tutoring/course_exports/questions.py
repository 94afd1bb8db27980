"""The questions of a course in the form that other programs' formats share."""

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from django.utils.translation import gettext as _

from tutoring.course_imports.drafts import draft_from_json
from tutoring.course_imports.questions import ImportedQuestion, Option, QuestionRefused, Skipped
from tutoring.courses.catalogue import CourseContent, Template
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.grading.keys import ChoiceKey, ExpressionKey, MatchKey, MultiKey, NumericKey, OrderKey, TextKey
from tutoring.models import Course

# A passage of a document is on this site only.
_LOCAL_LINK = re.compile(r"\s*\[[^\]]*\]\(/[^)]*\)")
EXPORT_SEED = 1
"""One exercise of each template is exported, always the same."""


def questions_of(course: Course) -> tuple[tuple[ImportedQuestion, ...], tuple[Skipped, ...]]:
    """Return the course's questions, and those that no other program can ask, with reasons.

    Those of an imported course are the ones that were read, with their feedback.
    """
    if (kept := course.imports.first()) is not None:
        topics = draft_from_json(kept.draft).topics
        return tuple(_of_topic(question, topic.title) for topic in topics for question in topic.questions), ()
    return _generated(course.catalogue())


def _of_topic(question: ImportedQuestion, topic: str) -> ImportedQuestion:
    return replace(question, topic=topic)


def _generated(content: CourseContent) -> tuple[tuple[ImportedQuestion, ...], tuple[Skipped, ...]]:
    questions: list[ImportedQuestion] = []
    skipped: list[Skipped] = []
    for concept in content.concepts:
        for template in concept.templates:
            try:
                questions.append(_question(template, content, topic=concept.title))
            except QuestionRefused as refused:
                skipped.append(Skipped(name=template.id, reason=str(refused)))
    return tuple(questions), tuple(skipped)


def _question(template: Template, content: CourseContent, *, topic: str) -> ImportedQuestion:
    made = make_exercise(template, seed=EXPORT_SEED, course=content)
    if made.picture or made.board or any(each.picture for each in (*made.choices, *made.rows)):
        raise QuestionRefused(_("It has a picture."))
    shared = ImportedQuestion(
        name=template.id,
        kind="text",
        stem=made.stem,
        hints=tuple(_LOCAL_LINK.sub("", each) for each in made.hints[:3]),
        explanation=_LOCAL_LINK.sub("", "\n\n".join(made.solution)),
        topic=topic,
        shuffle=template.shuffle,
    )
    return _answered(shared, made, content)


def _answered(shared: ImportedQuestion, made: Exercise, content: CourseContent) -> ImportedQuestion:
    texts = {choice.letter: choice.text for choice in made.choices}
    match made.key:
        case ChoiceKey(right=right):
            return replace(shared, kind="choice", options=_options(made, frozenset({right}), content))
        case MultiKey(right=letters):
            return replace(shared, kind="multi", options=_options(made, letters, content))
        case NumericKey() as key:
            return _number(shared, key)
        case OrderKey(right=order):
            options = tuple(Option(text=texts[letter], is_right=True) for letter in order)
            return replace(shared, kind="order", options=options)
        case MatchKey(right=right_pairs):
            rows = {row.letter: row.text for row in made.rows}
            taken = {option for _row, option in right_pairs}
            return replace(
                shared,
                kind="match",
                pairs=tuple((rows[row], texts[option]) for row, option in right_pairs),
                spare=tuple(text for letter, text in texts.items() if letter not in taken),
            )
        case ExpressionKey(value=value):
            return replace(shared, kind="expression", accepted=(value,))
        case TextKey() as key if _takes_whole_answers(key):
            return replace(shared, kind="text", accepted=key.references)
        case _:
            raise QuestionRefused(_("Other programs have no question of this kind."))


def _takes_whole_answers(key: TextKey) -> bool:
    """Tell whether only certain words are right, such as a term; other texts are judged by their ideas."""
    patterns = [each for idea in key.ideas for each in idea.any]
    whole = all(each.startswith("^") and each.endswith("$") for each in patterns)
    return len(key.ideas) == 1 and whole and bool(key.references)


def _options(made: Exercise, right: frozenset[str], content: CourseContent) -> tuple[Option, ...]:
    """Return the options; a wrong one's feedback is what learners are told who choose it."""
    noticed = {name: each.noticed for name, each in content.misconceptions.items()}
    return tuple(
        Option(
            text=each.text,
            is_right=each.letter in right,
            feedback=each.says or noticed.get(each.misconception or "", ""),
        )
        for each in made.choices
    )


def _number(shared: ImportedQuestion, key: NumericKey) -> ImportedQuestion:
    """Return a number where a decimal says it exactly and in the required form, else the text of the answer."""
    value = _exact(key.value)
    if value is None or key.form not in ("any", "decimal", "whole"):
        return replace(shared, kind="text", accepted=(key.value,))
    tolerance = key.tolerance or (f"{Decimal(5).scaleb(-key.places - 1):f}" if key.places is not None else "")
    return replace(shared, kind="numeric", accepted=(f"{value:f}",), tolerance=tolerance)


def _exact(text: str) -> Decimal | None:
    """Return a fraction as a decimal; None if it does not end within twelve places, or is no plain number."""
    try:
        fraction = Fraction(text.replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        return None
    scaled = fraction * 10**12
    return (Decimal(scaled.numerator) / 10**12).normalize() + 0 if scaled.denominator == 1 else None
