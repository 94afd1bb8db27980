"""One exercise, ready to be shown and judged."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tutoring.courses.catalogue import Difficulty, TemplateKind
from tutoring.courses.pictures import Picture
from tutoring.grading import grade
from tutoring.grading.keys import AnswerKey, NumericKey

WRITTEN = "written-"
"""Begins the template id of a question that a model wrote, with its number after it, and of no other."""
_IS_WRITTEN = re.compile(rf"{WRITTEN}\d{{1,18}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An option as shown. `misconception` is the one that leads to it, None for the right ones and for "other"."""

    letter: str
    text: str
    picture: Picture | None = None
    misconception: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """The smaller question of hint rung 3, and its answer."""

    ask: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A template with its values filled in; the same for the same template and seed, always.

    `stem`, `hints` (rung 1 to 5, rung 5 the solution) and `solution` are Markdown.
    `wrong` maps wrong answers, as a number's text or a letter, to the misconceptions that give them;
    no two of its numbers are equal.
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
    choices: tuple[Choice, ...] = ()
    scaffold: Scaffold | None = None
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def template_of(order: int) -> str:
    """Return the template id under which a written question is asked."""
    return f"{WRITTEN}{order}"


def number_of(template: str) -> int:
    """Return the order behind a written question's template id."""
    return int(template.removeprefix(WRITTEN))


def is_written(template: str) -> bool:
    """Tell whether a template id is that of a written question."""
    return _IS_WRITTEN.fullmatch(template) is not None


def misconceptions_behind(instance: Instance, answer: str) -> tuple[str, ...]:
    """Return the misconceptions that lead to this wrong answer: by an equal number, or by the letters chosen."""
    match instance.kind:
        case "numeric":
            same = (wrong for wrong in instance.wrong if _means(answer, wrong))
            return tuple(dict.fromkeys(found for wrong in same for found in instance.wrong[wrong]))
        case "choice" | "multi":
            chosen = grade(instance.key, answer).chosen
            return tuple(dict.fromkeys(found for letter in chosen for found in instance.wrong.get(letter, ())))
        case _:
            return ()


def _means(answer: str, number: str) -> bool:
    return grade(NumericKey(value=number), answer).verdict in ("correct", "equivalent_not_in_form")
