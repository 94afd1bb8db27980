"""Try every template many times: each exercise must grade itself, and nothing may give its answer away."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from tutoring.courses.catalogue import Course, Template
from tutoring.courses.expressions import evaluate, number, text_of
from tutoring.courses.faults import Fault
from tutoring.courses.generating import Names, instance_and_values, wrong_numbers
from tutoring.courses.instances import Instance
from tutoring.courses.pictures import Picture, svg
from tutoring.courses.places import Places
from tutoring.grading import Judgement, grade, numbers_in
from tutoring.grading.keys import ChoiceKey, MultiKey, NumericKey, TextKey

SEEDS = 200
MAX_FAULTS = 3
DISTINCT_SHARE = 0.9
_SUM = re.compile(r"[0-9(][0-9+\-−*×÷/^(). ]*(?:=[0-9+\-−*×÷/^(). ]+)+")
_FRACTION = re.compile(r"\\d?frac\{([^{}]+)\}\{([^{}]+)\}")
_COMMON_ANSWERS = frozenset({"yes", "no", "true", "false"})


def check_templates(course: Course, places: Places, *, seeds: int = SEEDS) -> Iterator[Fault]:
    """Yield at most a few faults for each template, each with a seed that shows it."""
    for concept in course.concepts:
        for template in concept.templates:
            for reason in _template_problems(template, course, seeds=seeds):
                yield places.fault(("template", template.id), f"{template.id}: {reason}")


def _template_problems(template: Template, course: Course, *, seeds: int) -> list[str]:
    problems: dict[str, str] = {}
    distinct = 0
    for seed in range(seeds):
        try:
            made, names = instance_and_values(template, seed=seed, course=course)
            found = [*problems_of(made), *_malrule_problems(template, names=names, course=course)]
        except ValueError as error:
            return [*problems.values(), f"seed {seed}: {error}"][:MAX_FAULTS]
        for kind, reason in found:
            problems.setdefault(kind, f"seed {seed}: {reason}")
        distinct += len(made.wrong) >= 2
    if template.kind == "numeric" and len(template.misconceptions) >= 2 and distinct < DISTINCT_SHARE * seeds:
        problems["distinct"] = (
            f"only {distinct} of {seeds} exercises tell two of its misconceptions apart; add distinct_malrules()"
        )
    return list(problems.values())[:MAX_FAULTS]


def problems_of(made: Instance) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with one exercise: a kind of problem, and the reason."""
    yield from _grading_problems(made)
    yield from _hint_problems(made)
    yield from _solution_problems(made)
    for picture in (made.picture, *(choice.picture for choice in made.choices)):
        if isinstance(picture, Picture):
            svg(picture)


def own_answers(made: Instance) -> tuple[str, ...]:
    """Return answers that the exercise itself must find right."""
    match made.key:
        case NumericKey():
            return (_written(made.key),)
        case ChoiceKey():
            return (made.key.right,)
        case MultiKey():
            return (", ".join(sorted(made.key.right)),)
        case TextKey():
            return made.key.references
        case _:
            return ()


def _written(key: NumericKey) -> str:
    if key.form != "decimal":
        return key.value
    value = Fraction(key.value)
    return f"{float(value):.{key.places}f}" if key.places is not None else f"{float(value):.12g}"


def _grading_problems(made: Instance) -> Iterator[tuple[str, str]]:
    for answer in own_answers(made):
        if (judged := grade(made.key, answer)).verdict != "correct":
            yield "own", f"its own answer {answer!r} is judged {_told(judged)}"
    for wrong in made.wrong:
        if made.kind != "multi" and grade(made.key, wrong).verdict in ("correct", "equivalent_not_in_form"):
            yield "wrong", f"the wrong answer {wrong!r} is judged right"


def _told(judged: Judgement) -> str:
    details = [judged.reason, *(f"without the idea {name!r}" for name in judged.missing)]
    return ", ".join([judged.verdict, *filter(None, details)])


def _malrule_problems(template: Template, *, names: Names, course: Course) -> Iterator[tuple[str, str]]:
    if template.kind != "numeric":
        return
    right = number(evaluate(template.answer.value, names))
    for misconception, value in wrong_numbers(template, names=names, course=course):
        if number(value) == right:
            reason = (
                f"{misconception!r} gives the right answer {text_of(value)}; add distinct_malrules() or another where"
            )
            yield f"malrule {misconception}", reason


def _hint_problems(made: Instance) -> Iterator[tuple[str, str]]:
    for rung, hint in enumerate(made.hints[:3], start=1):
        if tells_answer(hint, made):
            yield f"hint {rung}", f"hint {rung} gives the answer away: {hint[:80]!r}"


def tells_answer(text: str, made: Instance) -> bool:
    """Whether the text holds the exercise's answer. What the stem already says does not count."""
    match made.key:
        case NumericKey():
            return Fraction(made.key.value) in _numbers(text) - _numbers(made.stem)
        case ChoiceKey() | MultiKey():
            right = made.key.right if isinstance(made.key, MultiKey) else {made.key.right}
            said = {choice.letter for choice in made.choices if _is_said(choice.text, text, stem=made.stem)}
            return bool(said) and said <= set(right)
        case TextKey():
            return grade(made.key, text).verdict == "correct"
        case _:
            return False


@lru_cache(maxsize=4096)
def _numbers(text: str) -> frozenset[Fraction]:
    """Return the numbers a text says; many exercises share their hints, and reading them is the slowest part."""
    return frozenset(numbers_in(text))


def _is_said(option: str, text: str, *, stem: str) -> bool:
    words = option.strip().rstrip(".").lower()
    if not words or words in _COMMON_ANSWERS:
        return False
    pattern = re.compile(rf"(?<![\w/]){re.escape(words)}(?![\w/])")
    return bool(pattern.search(text.lower())) and not pattern.search(stem.lower())


def _solution_problems(made: Instance) -> Iterator[tuple[str, str]]:
    for line in made.solution:
        for left, right in pairwise_sums(line):
            if grade(NumericKey(value=left), right).verdict in ("wrong", "sign_error"):
                yield "solution", f"the solution says {left} = {right}"
    if isinstance(made.key, NumericKey) and not _is_told(Fraction(made.key.value), made.solution):
        yield "solution", f"the solution does not say the answer {made.key.value}"


def _is_told(value: Fraction, lines: Iterable[str]) -> bool:
    return any(value in _numbers(line) for line in lines)


def pairwise_sums(line: str) -> Iterator[tuple[str, str]]:
    """Yield the sides of each equation of plain numbers in a line: `1/2 = 2/4 = 4/8` has two."""
    plain = _FRACTION.sub(r"(\1)/(\2)", line).replace("$", "").replace(r"\cdot", "*").replace(r"\times", "*")
    for equation in _SUM.findall(plain):
        yield from pairwise(side.strip().rstrip(".").strip() for side in equation.split("="))
