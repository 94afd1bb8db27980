"""Quizzes on paper: what a paper shows of each question, and its key."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from conversations.web.markup import inline_to_html, to_html
from tutoring.courses.catalogue import Misconception
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.construction_texts import construction_text
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.sample_answers import answer_with_mistake, right_answers
from tutoring.grading import CodeKey, LinesKey, MatchKey, OrderKey, StepsKey, TraceKey
from tutoring.grading.judges.arrangements import arrangement_text
from tutoring.grading.programs.answer_text import code_block
from tutoring.pages.cards.arrangements import choice_context
from tutoring.pages.cards.manipulative_context import manipulative_context
from tutoring.pages.cards.question_context import Context, picture_to_svg

VERSIONS: Final = ("A", "B")
FREE_BOARDS: Final = ("build", "share", "combine", "balance")
"""Kinds that need room to draw or to write on paper, since the board shows only the beginning."""
LINES: Final = {"steps": 6, "text": 4, "trace": 4, "code": 10}
"""Lines to write on, by kind; one for all others."""


def paper_questions(exercises: Sequence[Exercise]) -> list[Context]:
    """Return what pupils read of each question."""
    return [_question(number, exercise) for number, exercise in enumerate(exercises, start=1)]


def paper_key(exercises: Sequence[Exercise], misconceptions: Mapping[str, Misconception]) -> list[Context]:
    """Return for each question the right answer, how it is found, and the wrong answers to expect."""
    return [
        {
            "number": number,
            "answer_html": right_words(exercise),
            "solution_html": to_html("\n\n".join(_explanation(exercise)), stacks=True),
            "wrong": [
                {"html": answer_words(exercise, _as_given(exercise, wrong)), "idea": _ideas(ids, misconceptions)}
                for wrong, ids in exercise.wrong.items()
            ],
        }
        for number, exercise in enumerate(exercises, start=1)
    ]


def _explanation(exercise: Exercise) -> list[str]:
    """Return the lines of the solution without the program that is the answer itself."""
    return [line for line in exercise.solution if not line.startswith("```")]


def _question(number: int, exercise: Exercise) -> Context:
    public: Mapping[str, Any] = serialization.public_part(exercise)
    return {
        "number": number,
        "kind": exercise.kind,
        "stem_html": to_html(exercise.stem, stacks=True),
        "picture_svg": exercise_svg(exercise),
        "choices": [choice_context(each) for each in public["choices"]],
        "rows": [choice_context(each) for each in public["rows"]],
        "has_several": exercise.kind == "multi",
        "draws": exercise.board is not None,
        "needs_room": exercise.kind in FREE_BOARDS,
        "starter_html": to_html(code_block(exercise.starter)) if exercise.starter else "",
        "lines": range(len(exercise.choices) if exercise.kind == "lines" else LINES.get(exercise.kind, 1)),
    }


def exercise_svg(exercise: Exercise) -> object:
    """Return an exercise's picture, or its board as it is before an answer; None without either."""
    if exercise.board is not None:
        return manipulative_context(exercise.board, "")["still_svg"]
    return picture_to_svg(exercise.picture)


def right_words(exercise: Exercise) -> SafeString:
    """Return the right answer as a person reads it; of a working its last line."""
    if isinstance(exercise.key, StepsKey):
        return inline_to_html(exercise.key.value, stacks=True)
    return answer_words(exercise, next(iter(right_answers(exercise)), ""))


def answer_words(exercise: Exercise, answer: str) -> SafeString:
    """Return an answer as a person reads it: the letters of a choice, the pieces of an order, what a board shows."""
    if isinstance(exercise.key, TraceKey | CodeKey | LinesKey):
        return to_html(code_block(answer))
    if exercise.board is not None:
        return inline_to_html(construction_text(exercise.board, answer))
    if isinstance(exercise.key, OrderKey | MatchKey):
        return inline_to_html(arrangement_text(exercise.key, answer), stacks=True)
    texts = {each.letter: each.text for each in exercise.choices}
    if exercise.choices:
        letters = answer.replace(",", " ").split()
        answer = ", ".join(f"{letter} ({texts[letter]})" if texts.get(letter) else letter for letter in letters)
    return inline_to_html(" … ".join(answer.splitlines()), stacks=True)


def _as_given(exercise: Exercise, wrong: str) -> str:
    """Return a known mistake as the complete answer in which it shows."""
    return answer_with_mistake(exercise, wrong) if exercise.board is not None or exercise.rows else wrong


def _ideas(ids: Sequence[str], misconceptions: Mapping[str, Misconception]) -> str:
    says = [misconceptions[each].says for each in ids if each in misconceptions]
    return _(" or ").join(says)
