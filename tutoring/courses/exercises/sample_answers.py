"""Sample answers to an exercise, right and wrong, for trials, simulated learners and tests."""

from fractions import Fraction

from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.sample_constructions import construct, other_answers, unequal_cuts, unequal_shares
from tutoring.grading.boards import ShareBoard
from tutoring.grading.judges.arrangements import format_assignments
from tutoring.grading.judges.construction_answers import format_numbers
from tutoring.grading.judges.constructions import UNEQUAL
from tutoring.grading.keys import (
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
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.shown_values import read_shown, shown_text

UNLIKELY_NUMBER = 997
"""No exercise has this answer, and no malrule gives it."""
UNLIKELY_PROGRAM = f"print({UNLIKELY_NUMBER})"


def right_answers(made: Exercise) -> tuple[str, ...]:
    """Return answers that must be graded right."""
    match made.key:
        case NumericKey():
            return (_written(made.key),)
        case ChoiceKey(right=right) | ExpressionKey(value=right):
            return (right,)
        case SetKey(values=values, names=names) if names:
            labelled = ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
            return (labelled, ", ".join(values))
        case SetKey(values=values):
            return (", ".join(values),)
        case MultiKey(right=chosen):
            return (", ".join(sorted(chosen)),)
        case OrderKey(right=letters):
            return (" ".join(letters),)
        case MatchKey(right=pairs):
            return (format_assignments(dict(pairs)),)
        case StepsKey(start=start, value=value):
            sides = [f"2*({side})" for side in start.split("=")]
            return (f"{' = '.join(sides)}\n{value}" if len(sides) > 1 else f"2*({start})/2\n{value}",)
        case ConstructionKey(pieces=pieces) if pieces:
            return (format_numbers(map(Fraction, pieces)),)
        case ConstructionKey(board=board, value=value, exact_pieces=exact):
            return tuple(filter(None, [construct(board, read_shown(value), one_size=exact)]))
        case TextKey(references=references):
            return references
        case TraceKey(prints=prints):
            return (prints,)
        case CodeKey(solution=solution):
            return (solution,)
        case LinesKey(lines=lines, also=also):
            return tuple("\n".join(each) for each in (lines, *also))


def _written(key: NumericKey) -> str:
    if key.form != "decimal":
        return key.value
    value = Fraction(key.value)
    return f"{float(value):.{key.places}f}" if key.places is not None else f"{float(value):.12g}"


def answer_with_mistake(made: Exercise, wrong: str) -> str:
    """Return a complete answer with a known mistake, a key of `made.wrong`."""
    match made.key:
        case StepsKey(value=value):
            return f"{wrong}\n{value}"
        case MatchKey() as key:
            return _completed(key, dict(pair.split("=") for pair in wrong.split()))
        case ConstructionKey() as construction:
            return construction_with_mistake(construction, wrong)
        case _:
            return wrong


def _completed(key: MatchKey, given: dict[str, str]) -> str:
    """Return a match with its missing rows filled, rightly if still possible."""
    free = [option for option, _ in key.options if option not in given.values() or not key.uses_each_once]
    for row, option in key.right:
        if row not in given:
            given[row] = option if option in free else free[0]
            if key.uses_each_once:
                free.remove(given[row])
    return format_assignments(given)


def construction_with_mistake(key: ConstructionKey, wrong: str) -> str:
    """Return a construction that shows a wrong number, or unequal parts or shares."""
    if wrong == UNEQUAL:
        return unequal_shares(key.board) if isinstance(key.board, ShareBoard) else unequal_cuts(Fraction(key.value))
    return construct(key.board, read_shown(wrong)) or ""


def wrong_answer(made: Exercise) -> str:
    """Return a wrong answer; without choices, one that shows no known mistake."""
    match made.key:
        case ChoiceKey(right=right, options=options):
            return next(letter for letter, _ in options if letter != right)
        case MultiKey(right=chosen, options=options):
            return next(letter for letter, _ in options if letter not in chosen)
        case OrderKey(right=letters):
            return " ".join(sorted(letters))  # As it is shown, which is never right.
        case MatchKey(right=pairs, options=options) as key:
            offered = [letter for letter, _ in options]
            given = offered if key.uses_each_once else offered[:1] * len(pairs)
            return format_assignments(dict(zip((row for row, _ in pairs), given, strict=False)))
        case SetKey():
            return f"{UNLIKELY_NUMBER}, {UNLIKELY_NUMBER + 1}"
        case StepsKey():
            return f"{UNLIKELY_NUMBER}\n{UNLIKELY_NUMBER + 1}"
        case TextKey():
            return "bananas"
        case CodeKey():
            return UNLIKELY_PROGRAM
        case LinesKey(options=options):
            return "\n".join(text for _, text in options)  # As it is shown, which is never right.
        case ConstructionKey(board=board, value=value):
            known = {value, *made.wrong}
            answers = [answer for shown, answer in other_answers(board) if shown_text(shown) not in known]
            return answers[0] if answers else answer_with_mistake(made, next(iter(made.wrong), UNEQUAL))
        case _:
            return str(UNLIKELY_NUMBER)
