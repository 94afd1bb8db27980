"""Trials of every template with many seeds: each exercise must grade itself, and no hint may give its answer away."""

import re
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import Any

from tutoring.courses.catalogue import CourseContent, Template
from tutoring.courses.checks.program_trials import program_problems
from tutoring.courses.exercises.answer_keys import shown_letters
from tutoring.courses.exercises.drafts import PROGRAM_KINDS, Draft, comparison_value, wrong_numbers
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.expressions import text_of, to_number
from tutoring.courses.exercises.generator import accepted_draft, finish_draft
from tutoring.courses.exercises.sample_answers import construction_with_mistake, right_answers
from tutoring.courses.files.faults import Fault
from tutoring.courses.files.source_locations import SourceLocations
from tutoring.courses.pictures import Picture, render_svg
from tutoring.grading import Judgement, grade, numbers_in
from tutoring.grading.boards import BuildBoard, CombineBoard, PlaceBoard, ShadeBoard, ShareBoard
from tutoring.grading.equation_boards import BalanceBoard, LineBoard, PointBoard
from tutoring.grading.judges.amounts import is_gradable
from tutoring.grading.judges.construction_answers import format_shading
from tutoring.grading.judges.sets import contains_values
from tutoring.grading.judges.steps import first_wrong_line, judged_lines
from tutoring.grading.keys import (
    AnswerKey,
    ChoiceKey,
    ConstructionKey,
    ExpressionKey,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
)
from tutoring.grading.programs.keys import CodeKey
from tutoring.grading.shown_values import pair_of
from tutoring.output_checks.algebra_mentions import algebra_in, letters_in
from tutoring.output_checks.answer_disclosure import discloses_answer

# A fault in one draw of a hundred is found with probability .87.
SEEDS = 200
# A step has no parameters: the seed only changes the order of its options.
STEP_SEEDS = 4
# Of one template; more are mostly the same fault.
MAX_FAULTS = 3
# Below it learners meet the same exercise again. Chosen by hand.
DISTINCT_SHARE = 0.9
# An equation whose left side begins before its first number, as "x + 6 = 24" does, is none of plain numbers.
_SUM = re.compile(r"(?<![\w.,+\-−*×·⋅÷/^])(?<![+\-−*×·⋅÷/^] )[0-9(][0-9+\-−*×·⋅÷/^(). ]*(?:=[0-9+\-−*×·⋅÷/^(). ]+)+")
_FRACTION = re.compile(r"\\d?frac\{([^{}]+)\}\{([^{}]+)\}")
_ON_PLANE = ("point", "line")
_CONSTRUCTIONS = ("shade", "cut", "place", "build", "share", "combine", "balance")
_WITH_RULES = ("numeric", "set", "steps", *_CONSTRUCTIONS, *_ON_PLANE)
"""Kinds whose wrong answers are computed, so that two of them may coincide."""
_COMMON_ANSWERS = frozenset({"yes", "no", "true", "false"})


def check_templates(course: CourseContent, places: SourceLocations, *, seeds: int = SEEDS) -> Iterator[Fault]:
    """Yield at most MAX_FAULTS faults for each template, each with a seed that shows it; none without seeds."""
    for concept in course.concepts if seeds else ():
        for template in concept.templates:
            for reason in _template_problems(template, course, seeds=seeds):
                yield places.fault(("template", template.id), f"{template.id}: {reason}")
        for step in concept.steps:
            for reason in _template_problems(step, course, seeds=min(seeds, STEP_SEEDS)):
                yield places.fault(("template", step.id), f"{step.id}: {reason}")


def _template_problems(template: Template, course: CourseContent, *, seeds: int) -> list[str]:
    problems: dict[str, str] = {}
    apart: dict[Hashable, bool] = {}
    shown: set[str] = set()
    distinct = 0
    programs: list[Exercise] = []
    for seed in range(seeds):
        try:
            draft, random = accepted_draft(template, seed=seed, course=course)
            letters = shown_letters(template, random)
            exercise = (*draft.names.items(), *letters.choices.items(), *letters.rows.items())
            if exercise not in apart:  # Many seeds lead to the same one, which is tried once.
                made = finish_draft(draft, seed=seed, letters=letters)
                apart[exercise] = len(made.wrong) >= 2
                programs += [made] if template.kind in PROGRAM_KINDS else []
                shown.update(chain.from_iterable(made.wrong.values()))
                for kind, reason in _problems(draft, made):
                    problems.setdefault(kind, f"seed {seed}: {reason}")
        except ValueError as error:
            return [*problems.values(), f"seed {seed}: {error}"][:MAX_FAULTS]
        distinct += apart[exercise]
    for kind, reason in program_problems(programs):
        problems.setdefault(kind, reason)
    if template.kind in _WITH_RULES and len(template.misconceptions) >= 2 and distinct < DISTINCT_SHARE * seeds:
        problems["distinct"] = (
            f"only {distinct} of {seeds} exercises tell two of its misconceptions apart; add distinct_malrules()"
        )
    if template.kind in (*_CONSTRUCTIONS, *_ON_PLANE):
        for name in (each for each in template.misconceptions if each not in shown):
            problems[f"never {name}"] = f"no board can show the wrong answer of {name!r}"
    return list(problems.values())[:MAX_FAULTS]


def _problems(draft: Draft, made: Exercise) -> list[tuple[str, str]]:
    return [*_working_problems(draft, made), *find_exercise_problems(made), *_malrule_problems(draft)]


def find_exercise_problems(made: Exercise) -> Iterator[tuple[str, str]]:
    """Yield the problems of one exercise: kind and reason."""
    yield from _grading_problems(made)
    yield from _shape_problems(made)
    yield from _hint_problems(made)
    yield from _solution_problems(made)
    for picture in (made.picture, *(each.picture for each in (*made.choices, *made.rows))):
        if isinstance(picture, Picture):
            render_svg(picture)


def _grading_problems(made: Exercise) -> Iterator[tuple[str, str]]:
    if isinstance(made.key, CodeKey):  # Its programs are run together with those of other exercises.
        return
    if isinstance(made.key, ExpressionKey) and not is_gradable(made.key):
        yield "own", f"its own answer {made.key.value!r} cannot be read or calculated"
    for answer in right_answers(made):
        if (judged := grade(made.key, answer)).verdict != "correct":
            yield "own", f"its own answer {answer!r} is graded {_told(judged)}"
    for wrong in made.wrong:
        if _is_judged_right(made.key, wrong):
            yield "wrong", f"the wrong answer {wrong!r} is graded right"


def _is_judged_right(key: AnswerKey, wrong: str) -> bool:
    match key:
        case MultiKey():  # Its wrong answers are single letters.
            return False
        case SetKey(names=names) if names and len(wrong.split(", ")) > 1:
            return grade(key, wrong).is_correct
        case SetKey(values=values):
            return all(contains_values(key, ", ".join(values), (value,)) for value in wrong.split(", "))
        case StepsKey():
            return judged_lines(key, wrong)[0].standing != "breaks"
        case ConstructionKey():
            return grade(key, construction_with_mistake(key, wrong)).is_correct
        case _:
            return grade(key, wrong).verdict in ("correct", "equivalent_not_in_form")


def _shape_problems(made: Exercise) -> Iterator[tuple[str, str]]:
    """Yield problems that make several answers right, or show the answer already."""
    match made.key:
        case ExpressionKey() as key:
            for shown in algebra_in(made.stem, letters_in(key.value)):
                if grade(key, shown).verdict == "correct":
                    reason = f"the question shows {shown!r}, which is graded right: ask for a form that rejects it"
                    yield "shown", reason
        case SetKey(values=values, names=names) if names:
            if others := [each for each in values if not isinstance(comparison_value(each), Fraction)]:
                yield "values", f"only numbers can have names in the answer, not {others[0]!r}"
        case SetKey(values=values) if len(set(values)) < len(values):
            yield "values", f"duplicate value: {', '.join(values)}"
        case OrderKey() as key:
            yield from _order_problems(key)
        case MatchKey() as key:
            yield from _match_problems(key)
        case ConstructionKey() as key:
            yield from _board_problems(key)


def _board_problems(key: ConstructionKey) -> Iterator[tuple[str, str]]:
    """Yield answers that contradict the board, and a board that shows the answer at the start."""
    if isinstance(key.board, PointBoard | LineBoard):
        return
    value = Fraction(key.value)
    match key.board:
        case BalanceBoard() as board if value != board.value:
            yield "value", f"the board {board} gives {board.value}, not {value}"
        case ShadeBoard() as board if board.shaded and grade(key, format_shading(board.shaded)).is_correct:
            yield "shown", "the parts shaded at the start are already the answer"
        case ShareBoard() as board if value != Fraction(board.things, board.people):
            yield "value", f"{board.things} shared by {board.people} is not {value} each"
        case CombineBoard() as board if value != board.value:
            yield "value", f"{board.first} {board.sign} {board.second} is {board.value}, not {value}"


def _rises_or_falls(numbers: Sequence[Any]) -> bool:
    pairs = list(pairwise(numbers))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)


def _order_problems(key: OrderKey) -> Iterator[tuple[str, str]]:
    texts = dict(key.options)
    numbers = [comparison_value(texts[letter]) for letter in key.right]
    if all(isinstance(each, Fraction) for each in numbers) and not _rises_or_falls(numbers):
        shown = ", ".join(texts[letter] for letter in key.right)
        yield "order", f"the numbers on the pieces are in neither rising nor falling order: {shown}"


def _match_problems(key: MatchKey) -> Iterator[tuple[str, str]]:
    """Yield options equal in value to another row's, if all rows equal their options."""
    rows = {letter: comparison_value(text) for letter, text in key.rows}
    options = {letter: comparison_value(text) for letter, text in key.options}
    if all(rows[row] == options[option] for row, option in key.right):
        for row, option in product(rows, options):
            if rows[row] == options[option] and (row, option) not in key.right:
                shown = f"{dict(key.rows)[row]} and {dict(key.options)[option]}"
                yield "match", f"{shown} are equal in value but belong to different rows"


def _working_problems(draft: Draft, made: Exercise) -> Iterator[tuple[str, str]]:
    """Yield the problems of the working in a template of steps."""
    if not isinstance(made.key, StepsKey):
        return
    working = "\n".join(map(draft.text, draft.template.answer.lines))
    if (judged := grade(made.key, working)).verdict != "correct":
        line = first_wrong_line(made.key, working)
        reason = f"its line {line.text!r} does not follow" if line else f"its work is graded {_told(judged)}"
        yield "own", reason


def _told(judged: Judgement) -> str:
    missing = f"without the ideas: {', '.join(judged.missing)}" if judged.missing else ""
    return ", ".join(filter(None, (judged.verdict, judged.reason, missing)))


def _malrule_problems(draft: Draft) -> Iterator[tuple[str, str]]:
    if draft.template.kind in _ON_PLANE:
        for misconception, answer in draft.mistakes():
            if answer == draft.right():
                yield f"malrule {misconception}", f"{misconception!r} gives the right answer; add distinct_malrules()"
    if draft.template.kind not in (*_CONSTRUCTIONS, "numeric"):
        return
    right = to_number(draft.value())
    for misconception, value in wrong_numbers(draft.template, names=draft.names, course=draft.course):
        if to_number(value) == right:
            reason = f"{misconception!r} gives the right answer {text_of(value)}; add distinct_malrules() or another condition"
            yield f"malrule {misconception}", reason


def _hint_problems(made: Exercise) -> Iterator[tuple[str, str]]:
    for rung, hint in enumerate(made.hints[:3], start=1):
        if tells_answer(hint, made):
            yield f"hint {rung}", f"hint {rung} gives the answer away: {hint[:80]!r}"


def tells_answer(text: str, made: Exercise) -> bool:
    """Tell whether the text contains the exercise's answer. What the stem already shows does not count."""
    match made.key:
        case ConstructionKey(board=PointBoard() | LineBoard()):
            return discloses_answer(text, made)
        case NumericKey() | ConstructionKey():
            return Fraction(made.key.value) in _numbers(text) - _numbers(made.stem)
        case ChoiceKey() | MultiKey():
            right = made.key.right if isinstance(made.key, MultiKey) else {made.key.right}
            said = {choice.letter for choice in made.choices if _is_said(choice.text, text, stem=made.stem)}
            return bool(said) and said <= set(right)
        case TextKey():
            return grade(made.key, text).verdict == "correct"
        case _:
            return discloses_answer(text, made)


@lru_cache(maxsize=4096)
def _numbers(text: str) -> frozenset[Fraction]:
    """Return the numbers in a text. Cached: many exercises share their hints, and this is the slowest part."""
    return frozenset(numbers_in(text))


def _is_said(option: str, text: str, *, stem: str) -> bool:
    words = option.strip().rstrip(".").lower()
    if not words or words in _COMMON_ANSWERS:
        return False
    # One and many are the same answer: "root" and "roots". A short word is too close to others.
    has_plural = len(words) >= 4 and words.replace(" ", "").isalpha()
    many = re.sub(r"(?<!s)s$", "", words) + "(?:e?s)?" if has_plural else re.escape(words)
    pattern = re.compile(rf"(?<![\w/]){many}(?![\w/])")
    return bool(pattern.search(text.lower())) and not pattern.search(stem.lower())


def _solution_problems(made: Exercise) -> Iterator[tuple[str, str]]:
    for line in made.solution:
        for left, right in pairwise_sums(line):
            if grade(NumericKey(value=left), right).verdict in ("wrong", "sign_error"):
                yield "solution", f"the solution says {left} = {right}"
    for value in _values_to_tell(made.key):
        if not any(value in _numbers(line) for line in made.solution):
            yield "solution", f"the solution does not contain the answer {value}"


def _values_to_tell(key: AnswerKey) -> tuple[Fraction, ...]:
    match key:
        case NumericKey(value=value):
            return (Fraction(value),)
        case ConstructionKey(board=PointBoard(), value=value):
            return pair_of(value)
        case ConstructionKey(board=PlaceBoard() | BuildBoard() | CombineBoard() | BalanceBoard(), value=value):
            return (Fraction(value),)
        case SetKey(values=values):
            return tuple(each for each in map(comparison_value, values) if isinstance(each, Fraction))
        case StepsKey(value=value) if isinstance(ending := comparison_value(value), Fraction):
            return (ending,)
        case _:
            return ()


def pairwise_sums(line: str) -> Iterator[tuple[str, str]]:
    """Yield the sides of each equation of plain numbers in a line: `1/2 = 2/4 = 4/8` has two."""
    plain = _FRACTION.sub(r"(\1)/(\2)", line).replace("$", "").replace(r"\cdot", "*").replace(r"\times", "*")
    for equation in _SUM.findall(plain):
        yield from pairwise(side.strip().rstrip(".").strip() for side in equation.split("="))
