"""The number that a message gives as the answer to a question for one: its result, the question's unknown, what it asks about."""

import re
from typing import Final

from tutoring.courses.exercises.exercise import find_misconceptions
from tutoring.courses.exercises.solution_steps import step_with_result
from tutoring.grading import AnswerKey, ConstructionKey, NumericKey, grade
from tutoring.grading.boards import BuildBoard, CombineBoard, PlaceBoard
from tutoring.grading.equation_boards import BalanceBoard
from tutoring.understanding.context import Prompt
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import ArithmeticClaim
from tutoring.understanding.parsing.assertions import asks_openly, sentences
from tutoring.understanding.parsing.commitments import after_correction, before_reason
from tutoring.understanding.parsing.spoken_numbers import (
    NUMBER,
    SpokenNumber,
    find_spoken_numbers,
    spell_in_digits,
    stated_result,
)
from tutoring.understanding.replies import known_answers

OFFERED: Final = 2
"""Numbers of a message of which the learner is asked which one is meant."""
_NUMBER_BOARDS: Final = (PlaceBoard, BalanceBoard, BuildBoard, CombineBoard)
"""Boards whose answer is a number that can be said; what is cut, shaded or shared out is counted."""
# "so 2 plus 3, that's 5 numbers?", "is the new mean 7, halfway between 4 and 10?".
_WONDERED = re.compile(
    rf"\b(?:(?:that'?s|thats|that is|so|it'?s|its|makes|which is|is (?:it|that))|is the (?:[a-z]+ ){{1,2}}) ?({NUMBER.pattern})(?: [a-z]+){{0,2}}(?:,[^?]*)?\?\W*$"
)
# "… that would be 15 people?"; not "a patient who stays 60 days pulls the mean up".
# Possessive, so that a long row of letters or signs costs no time.
_ENDS, _ENDS_CLOSELY = (re.compile(rf"[a-z'’]*+(?:[^\w'’]++[a-z'’]++){{0,{most}}}+\W*+$") for most in (6, 2))
# "surely not 225", "more than 9"; "a balance of 35" is one.
_DENIED = re.compile(r"(?:\b(?:not|never|nor|or|than|every)|n'?t)\s+(?:\w+\s+)?$")
# "9 times 3 what": the number is no result.
_GOES_ON = re.compile(r"\s*(?:[-+*x×÷/]\s*\d|(?:times|plus|minus|divided|of|percent)\b)")


def asked_number(key: AnswerKey | None) -> str:
    """Return the number that a question asks for: a value, a place on a line, a sum of bars; empty for none."""
    if isinstance(key, ConstructionKey):
        return key.value if isinstance(key.board, _NUMBER_BOARDS) else ""
    return key.value if isinstance(key, NumericKey) else ""


def compared_value(message: MessageText, prompt: Prompt) -> str:
    """Return the number that a message commits to, compared with the one that is asked for; empty for none."""
    found = known_answers.compare_reply(message, prompt.text, asked_number(prompt.key))
    return found.value if found is not None else ""


def claimed_result(message: MessageText, key: AnswerKey | None) -> str:
    """Return the result of a true calculation in the message if it is the answer: "80 minus 50 is 30, so …"; else empty.

    What the message concludes counts before it: "8 + 4 is 12, so it is 7".
    """
    if key is None or not asked_number(key) or "?" in message.typed or stated_result(message.figures):
        return ""
    results = [
        each.statement.rpartition("=")[2].strip() for each in message.claims if each.holds and "=" in each.statement
    ]
    return next((each for each in results if each and grade(key, each).verdict == "correct"), "")


def assigned_value(message: MessageText, prompt: Prompt) -> str:
    """Return the number that a message gives for the question's unknown: "then x = 41. check 41 + 29 = 70"; empty for none."""
    if not asked_number(prompt.key) or "?" in message.typed:
        return ""
    unknown = set(re.findall(r"(?<![A-Za-z'’])([b-hj-z])(?![A-Za-z'’])", NUMBER.sub(" ", prompt.text)))
    pattern = rf"(?<![a-z'’\d])(?:{'|'.join(sorted(unknown))})\s*(?:=|is|equals|would be)\s*({NUMBER.pattern})(?!\s*[-+*/x×÷:]|\s?[\w])"
    found = re.findall(pattern, message.figures) if unknown else []
    return found[-1].strip() if found else ""


def asked_result(message: MessageText, prompt: Prompt) -> str:
    """Return the right number, or that of a known mistake, which a message ends with as a question: "2 plus 3, that's 5?"."""
    found = _WONDERED.search(message.figures) if asked_number(prompt.key) else None
    if found is None or prompt.key is None or asks_openly(message.words):
        return ""
    value = found[1].strip()
    is_known = grade(prompt.key, value).verdict == "correct" or is_known_mistake(prompt, value)
    return value if is_known else ""


def ending_number(message: MessageText, prompt: Prompt) -> str:
    """Return the right number if it is the last one that a message says: "15 + 48 is 63, and divided by 7... 9?"; else empty.

    A wrong number at the end proves nothing: it may be one of the way there, or of something else.
    """
    last = _last_number(message, ends=_ENDS)
    if last is None or prompt.key is None or not asked_number(prompt.key):
        return ""
    of_question = {each.value for each in find_spoken_numbers(spell_in_digits(prompt.text))}
    is_right = last.value not in of_question and grade(prompt.key, last.text).verdict == "correct"
    return last.text if is_right else ""


def claimed_step(message: MessageText) -> ArithmeticClaim | None:
    """Return the calculation on the way to the open card's answer that has the message's last number as its result."""
    prompt = message.context.prompts[0] if message.context.is_replying else None
    last = _last_number(message, ends=_ENDS_CLOSELY)
    if prompt is None or prompt.instance is None or last is None or last.value is None:
        return None
    step = step_with_result(
        last.value, solution=prompt.instance.solution, question=prompt.text, answer=asked_number(prompt.key)
    )
    is_about_it = bool(asked_number(prompt.key)) and bool(step)
    return (
        ArithmeticClaim(text=message.typed.strip(), statement=step, holds=True, is_step=True) if is_about_it else None
    )


def _last_number(message: MessageText, *, ends: re.Pattern[str]) -> SpokenNumber | None:
    """Return the last number that a message says before a reason, in its last sentence with one; None if that asks openly.

    `ends`: what may stand behind it.
    """
    meant = after_correction(message.figures)  # "21 because 4 + 16 … no wait, 5 times 5 is 25".
    told = before_reason(meant)
    said = told if find_spoken_numbers(told) else meant
    last = next((each for each in reversed(sentences(said)) if find_spoken_numbers(each)), "")
    numbers = find_spoken_numbers(last)
    if not numbers or asks_openly(last) or _DENIED.search(last[: numbers[-1].start]):
        return None
    number = numbers[-1]
    return number if ends.match(last, number.end) and not _GOES_ON.match(last, number.end) else None


def is_known_mistake(prompt: Prompt, value: str) -> bool:
    return prompt.instance is not None and bool(find_misconceptions(prompt.instance, value))


def concludes(message: MessageText, value: str) -> bool:
    """Tell whether a value is what a message ends with: its result, or that of its last claim: "… so 19 plus 80 = 99"."""
    ends_in_it = len(message.claims) > 1 and message.claims[-1].statement.endswith(f" {value}")
    return ends_in_it or stated_result(message.figures) == value


def numbers_offered(message: MessageText) -> tuple[str, ...]:
    """Return the numbers of a message that may be meant as the answer to the open card, the latest two; empty for none."""
    prompt = message.context.prompts[0] if message.context.is_replying else None
    if prompt is None or not isinstance(prompt.key, NumericKey):
        return ()
    return tuple(fresh_numbers(message, prompt)[-OFFERED:])


def fresh_numbers(message: MessageText, prompt: Prompt) -> list[str]:
    """Return the different numbers of a message besides those of the question, in order; all of them if there are no others."""
    of_question = {each.value for each in find_spoken_numbers(spell_in_digits(prompt.text))}
    said = {each.value: each.text for each in find_spoken_numbers(message.figures)}
    fresh = [text for value, text in said.items() if value not in of_question]
    return fresh or [*said.values()]
