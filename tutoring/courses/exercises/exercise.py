"""One exercise, ready to be shown and graded."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tutoring.courses.catalogue import Blocks, Difficulty, TemplateKind
from tutoring.courses.pictures import Picture
from tutoring.grading import Unparsable, grade
from tutoring.grading.boards import Board
from tutoring.grading.judges.code_lines import is_arranged_as
from tutoring.grading.judges.constructions import UNEQUAL, constructed_value
from tutoring.grading.judges.sets import contains_values
from tutoring.grading.judges.steps import first_wrong_line, line_says
from tutoring.grading.keys import (
    AnswerKey,
    ChoiceKey,
    ConstructionKey,
    ExpressionKey,
    MatchKey,
    MultiKey,
    NumericKey,
    Options,
    OrderKey,
    SetKey,
    StepsKey,
)
from tutoring.grading.programs.answer_text import code_in
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.programs.outcomes import Outcomes, comparable_output, programs_of, signature
from tutoring.grading.shown_values import shown_text

WRITTEN = "written-"
"""Prefix of the template ids of questions that a model wrote, followed by a number."""
_SAME_VALUE = ("correct", "equivalent_not_in_form")
_IS_WRITTEN = re.compile(rf"{WRITTEN}\d{{1,18}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseChoice:
    """An option as shown. `misconception` is the one that leads to it, None for the right ones and for "other"."""

    letter: str
    text: str
    picture: Picture | None = None
    misconception: str | None = None
    says: str = ""
    """What learners are told who choose it; Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """The smaller question of hint rung 3, and its answer."""

    ask: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """A template with its values filled in; the same for the same template and seed, always.

    `stem`, `hints` (rung 1 to 5, rung 5 the solution) and `solution` are Markdown.
    `wrong` maps wrong answers to the misconceptions that give them: a number's text, an expression or a line, a letter,
    the values that stand in a set together, letters in a wrong order, "A=2 B=1" of a match; no two of its numbers are
    equal; of a construction a number that it shows, or "unequal". `rows` are what the choices of a match belong to, `twin_picture` shows the solved twin of hint 4.
    """

    template: str
    seed: int
    concept: str
    kind: TemplateKind
    difficulty: Difficulty
    stem: str
    key: AnswerKey
    hints: tuple[str, ...]
    solution: tuple[str, ...]
    picture: Picture | None = None
    choices: tuple[ExerciseChoice, ...] = ()
    rows: tuple[ExerciseChoice, ...] = ()
    scaffold: Scaffold | None = None
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    twin_picture: Picture | None = None
    has_worked_example: bool = True
    """Whether hint 4 is an example of its own."""
    lead: Blocks = ()
    """What stands above the question on the same card: the piece of the lesson that asks it."""
    own_words: bool = False
    """Whether the reason may be said in one's own words instead of chosen."""
    board: Board | None = None
    starter: str = ""
    """What the learner's program begins with."""


def written_template_id(order: int) -> str:
    """Return the template id of a written question."""
    return f"{WRITTEN}{order}"


def written_order_number(template: str) -> int:
    """Return the order number in a written question's template id."""
    return int(template.removeprefix(WRITTEN))


def is_written(template: str) -> bool:
    """Tell whether a template id is that of a written question."""
    return _IS_WRITTEN.fullmatch(template) is not None


def wrong_programs(instance: Exercise) -> tuple[tuple[str, ...], ...]:
    """Return the programs to run for each known wrong program; empty where none are compared."""
    if not isinstance(instance.key, CodeKey):
        return ()
    return tuple(programs_of(wrong, instance.key.cases) for wrong in instance.wrong)


def find_misconceptions(instance: Exercise, answer: str, *, outcomes: Outcomes | None = None) -> tuple[str, ...]:
    """Return the misconceptions behind this wrong answer, or behind the first wrong line of a working.

    `outcomes` are those of the answer and of `wrong_programs`.
    """
    gives = _answer_matcher(instance, answer, outcomes or {})
    return tuple(dict.fromkeys(found for wrong, ids in instance.wrong.items() if gives(wrong) for found in ids))


def _answer_matcher(instance: Exercise, answer: str, outcomes: Outcomes) -> Callable[[str], bool]:
    """Return a predicate that tells whether an answer is a given known wrong answer."""
    match instance.key:
        case NumericKey():
            return lambda wrong: grade(NumericKey(value=wrong), answer).verdict in _SAME_VALUE
        case ExpressionKey():
            return lambda wrong: grade(ExpressionKey(value=wrong), answer).verdict in _SAME_VALUE
        case SetKey() as values:
            return lambda wrong: contains_values(values, answer, wrong.split(", "))
        case ChoiceKey() | MultiKey():
            chosen = grade(instance.key, answer).chosen
            return lambda wrong: wrong in chosen
        case OrderKey():
            chosen = grade(instance.key, answer).chosen
            return lambda wrong: chosen == tuple(wrong.split())
        case MatchKey():
            chosen = grade(instance.key, answer).chosen
            return lambda wrong: set(wrong.split()) <= set(chosen)
        case ConstructionKey() as construction:
            shown = _shown_number(construction, answer)
            return lambda wrong: shown == wrong
        case TraceKey():
            said = comparable_output(code_in(answer))
            return lambda wrong: comparable_output(wrong) == said
        case CodeKey(cases=cases):
            code = code_in(answer)
            done = signature(code, cases, outcomes) if code in outcomes else None
            return lambda wrong: wrong == code or (done is not None and signature(wrong, cases, outcomes) == done)
        case LinesKey() as key:
            return lambda wrong: is_arranged_as(key, answer, wrong.split("\n"))
        case StepsKey() as working:
            line = first_wrong_line(working, answer)
            return lambda wrong: line is not None and line_says(line, wrong)
        case _:
            return lambda _wrong: False


def _shown_number(key: ConstructionKey, answer: str) -> str:
    """Return the number that a construction shows, "unequal" if only that is wrong; empty if it shows none."""
    try:
        value = constructed_value(key.board, answer)
    except Unparsable:
        return ""
    return shown_text(value) if value is not None else UNEQUAL if grade(key, answer).reason == UNEQUAL else ""


def options_of(choices: Iterable[ExerciseChoice]) -> Options:
    """Return letters with texts; a picture by its alternative text."""
    return tuple((choice.letter, choice.text or picture_text(choice.picture)) for choice in choices)


def picture_text(picture: Picture | None) -> str:
    """Return a picture's alternative text."""
    return picture.alt if picture is not None else ""
