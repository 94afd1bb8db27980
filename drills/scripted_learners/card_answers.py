"""How a learner answers a card: right, wrong in its own style, or not at all."""

import random
import re
from fractions import Fraction
from math import lcm

from drills.scripted_learners.scripts import Line, Script
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.sample_answers import answer_with_mistake, right_answers, wrong_answer
from tutoring.grading.keys import ChoiceKey, NumericKey, StepsKey

GIVES_UP = "I don't know"
_NUMBER = r"((?:\d+ )?\d+/\d+)"
_SUM = re.compile(rf"{_NUMBER} ?([+-]) ?{_NUMBER}")
OWN_WORDS = "because the parts are equal"
"""Said where the question wants words and its key has none."""


def answer_to(exercise: Exercise, script: Script, chance: random.Random, *, bare: bool) -> Line:
    """Return the learner's answer as a message; `bare`: with no words around it."""
    if chance.random() < script.right:
        answer = right_answer(exercise)
    elif script.wrong == "gives_up":
        return Line(text=GIVES_UP, kind="card")
    else:
        answer = _mistaken(exercise, chance) if script.wrong == "known" else _guessed(exercise, chance)
    worded = chance.choice(script.worded) if _is_sayable(exercise) and not bare else "{answer}"
    return Line(text=worded.format(answer=answer), kind="card")


def right_answer(exercise: Exercise) -> str:
    """Return the right answer, with a working as people write it."""
    match exercise.key:
        case StepsKey(start=start, value=value) if parts := _SUM.fullmatch(start):
            return _working(_number(parts[1]), parts[2], _number(parts[3]), value)
        case StepsKey(start=start, value=value) if start and "=" not in start:
            return f"{start}\n{value}"
        case _:
            return next(iter(right_answers(exercise)), OWN_WORDS)


def _working(first: Fraction, sign: str, second: Fraction, value: str) -> str:
    """Return a sum or difference on its common bottom number, line by line."""
    bottom = lcm(first.denominator, second.denominator)
    tops = [int(each * bottom) for each in (first, second)]
    result = tops[0] + tops[1] if sign == "+" else tops[0] - tops[1]
    return "\n".join([f"{tops[0]}/{bottom} {sign} {tops[1]}/{bottom}", f"{result}/{bottom}", value])


def _number(written: str) -> Fraction:
    """Return a fraction or a mixed number."""
    return sum(map(Fraction, written.split()), Fraction())


def _mistaken(exercise: Exercise, chance: random.Random) -> str:
    """Return an answer as a usual mistake gives it; any wrong one where none is known."""
    if not exercise.wrong:
        return wrong_answer(exercise)
    return answer_with_mistake(exercise, chance.choice(sorted(exercise.wrong))) or wrong_answer(exercise)


def _guessed(exercise: Exercise, chance: random.Random) -> str:
    match exercise.key:
        case ChoiceKey(options=options):
            return chance.choice([letter for letter, _ in options])
        case NumericKey():
            return f"{chance.randint(1, 5)}/{chance.randint(2, 9)}"
        case _:
            return wrong_answer(exercise)


def _is_sayable(exercise: Exercise) -> bool:
    """Whether people put words around such an answer."""
    return isinstance(exercise.key, ChoiceKey | NumericKey)
