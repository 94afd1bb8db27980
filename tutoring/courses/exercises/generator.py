"""Generates exercises from templates: the same (template, seed) gives the same exercise."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from tutoring.courses.catalogue import ChoicePlan, CourseContent, LessonPiece, Template
from tutoring.courses.exercises.answer_keys import LetterMapping, exercise_key, known_wrong_answers, shown_letters
from tutoring.courses.exercises.drafts import Draft
from tutoring.courses.exercises.exercise import Exercise, ExerciseChoice, Scaffold, picture_text
from tutoring.courses.exercises.expressions import ExpressionError, evaluate, text_of
from tutoring.courses.exercises.parameters import draw_params

# Conditions that one draw in a hundred meets still succeed all but surely; a template that needs more is badly written.
MAX_TRIES = 1000


class NoExercise(ValueError):
    """A template that gives no exercise for a seed; the text says why."""


def make_exercise(template: Template, *, seed: int, course: CourseContent) -> Exercise:
    """Return the template's exercise for this seed.

    Values are drawn until every `where` condition holds, options differ, and the solved twin of hint 4 has another
    answer. Raises NoInstance when that fails too often, and ExpressionError or PictureError (both ValueErrors, as
    NoInstance is) when a text or picture cannot be made; a course that passed its checks raises none of them.
    """
    draft, random = accepted_draft(template, seed=seed, course=course)
    return finish_draft(draft, seed=seed, letters=shown_letters(template, random))


def make_step(piece: LessonPiece, *, seed: int, course: CourseContent) -> Exercise | None:
    """Return the exercise that a piece asks, with the piece above it; None for a piece without a step."""
    if piece.step is None:
        return None
    return replace(make_exercise(piece.step, seed=seed, course=course), lead=piece.blocks)


def accepted_draft(template: Template, *, seed: int, course: CourseContent) -> tuple[Draft, Random]:
    """Return the draft for this seed, and the random generator for its letters. Raises as `make_exercise` does."""
    random = Random(f"{template.id}:{seed}")
    tries = MAX_TRIES if template.params else 1
    for _ in range(tries):
        draft = Draft(template=template, course=course, names=draw_params(template.params, random=random))
        if draft.is_accepted():
            return draft, random
    raise NoExercise(f"no exercise within {tries} tries: the conditions under 'where' are met too rarely")


def finish_draft(draft: Draft, *, seed: int, letters: LetterMapping) -> Exercise:
    """Return the exercise of an accepted draft with these letters. Raises as `make_exercise` does."""
    template = draft.template
    choices = _lettered(_choice(draft, plan, letter=letters.choices[plan.letter]) for plan in template.choices)
    rows = _lettered(_choice(draft, plan, letter=letters.rows[plan.letter]) for plan in template.rows)
    solution = draft.solution()
    return Exercise(
        template=template.id,
        seed=seed,
        concept=template.concept,
        kind=template.kind,
        difficulty=template.difficulty,
        stem=draft.stem(),
        starter=draft.code(template.starter),
        picture=draft.drawn(template.picture),
        board=draft.board(),
        choices=choices,
        rows=rows,
        key=exercise_key(draft, letters, choices=choices, rows=rows),
        hints=_hints(draft, solution),
        has_worked_example=template.hints.has_worked_example,
        scaffold=Scaffold(ask=draft.text(template.hints.ask), answer=_scaffold_answer(draft)),
        solution=solution,
        wrong=known_wrong_answers(draft, letters, choices),
        twin_picture=draft.twin().drawn(template.picture) if template.hints.twin else None,
        own_words=template.own_words,
    )


def _lettered(choices: Iterable[ExerciseChoice]) -> tuple[ExerciseChoice, ...]:
    return tuple(sorted(choices, key=lambda choice: choice.letter))


def _choice(draft: Draft, plan: ChoicePlan, *, letter: str) -> ExerciseChoice:
    text, picture = draft.shown(plan)
    return ExerciseChoice(
        letter=letter, text=text, picture=picture, misconception=plan.misconception, says=draft.text(plan.says)
    )


def _hints(draft: Draft, solution: tuple[str, ...]) -> tuple[str, ...]:
    hints = draft.template.hints
    said = (draft.text(hints.focus), draft.text(hints.principle), draft.text(hints.ask))
    return (*said, _worked_twin(draft), "\n\n".join(solution))


def _worked_twin(draft: Draft) -> str:
    """Return rung 4: a worked example with other numbers, with its picture."""
    template = draft.template
    if not template.hints.twin:
        return draft.text(template.hints.example)
    twin = draft.twin()
    # In the file an order's pieces stand in the right order.
    choices = () if template.kind == "lines" else template.choices[:: -1 if template.kind == "order" else 1]
    plans = [*template.rows, *choices]
    options = "\n".join(f"- {twin.text(plan.text) or picture_text(twin.drawn(plan.picture))}" for plan in plans)
    told = (twin.stem(), options, *twin.solution())
    return "\n\n".join(line for line in told if line)


def _scaffold_answer(draft: Draft) -> str:
    """Return the answer of rung 3: an expression's value, or the plain words in the file."""
    if draft.template.verbatim:
        return draft.template.hints.ask_answer
    try:
        return text_of(evaluate(draft.template.hints.ask_answer, draft.names))
    except ExpressionError:
        return draft.text(draft.template.hints.ask_answer)
