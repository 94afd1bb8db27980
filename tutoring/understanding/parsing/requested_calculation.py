"""Finds the calculation, conversion or comparison that a message asks for: "1/2 + 1/3", "simplest 6/8", "1/4 ? 1/8"."""

import re

from agents.tools.calculation_finder import find_calculation
from tutoring.output_checks.own_calculation import appears_in, is_own_calculation
from tutoring.output_checks.own_conversion import is_own_conversion
from tutoring.output_checks.stated_calculations import calculations_in
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.parsing.requested_conversion import find_requested_conversion
from tutoring.understanding.parsing.spoken_numbers import spell_in_digits

# "3/4 of 12" is a product. A "/" counts only where it is not the bar of a fraction, see `joins_numbers`.
_SIGN = re.compile(r"[-+*/×÷·]|\bof\b")
_IN_SIGNS = (
    (re.compile(r"(?<=[\d)])\s*(?:x|times)\s*(?=[\d(])", re.IGNORECASE), " * "),
    (re.compile(r"(?<=[\d)])\s*(?:divided by|÷)\s*(?=[\d(])", re.IGNORECASE), " ÷ "),
)
# "1/2 cup plus 1/3 cup": a word between a number and a sign is a unit.
_UNIT = re.compile(
    r"(?<=\d)\s+(?:of\s+)?[a-z]+\.?(?=\s+(?:plus|minus|times|divided by|and)\s+\d|\s*[+×÷]\s*\d)", re.IGNORECASE
)
# "is 1/2 + 1/3 the same as 2/5", "does 1/2 + 1/4 equal 3/4": whether it does is asked.
_SAME = re.compile(
    r"(?<=[\d)])\s+(?:is\s+|are\s+)?(?:really\s+|also\s+|exactly\s+)?(?:the same (?:amount |size )?as|equal to|equals?|makes?)\s+(?=\d)",
    re.IGNORECASE,
)
# "why is 1/2 + 1/3 5/6": two fractions in a row are compared.
_IS = re.compile(r"(/\d+)\s+(?=\d+/\d+\W*$)")
# Around a calculation that is all a message asks for.
_AROUND = re.compile(
    r"whats?|is|are|how|much|many|do|does|would|be|equals?|makes?|get|the|difference|between|sum|product|and|of|add|plus|minus"
    r"|times|divided|by|take|away|from|less|together|altogether|in|total|exactly|please|pls|so|ok|okay|then|work|out|calculate|wholes?"
)
# "7 + 4m", "x times 3 plus 2": no numbers alone. Not "4 m" nor "4cm", which are units.
_HAS_UNKNOWN = re.compile(
    r"(?<![\w/])\d+[b-hj-z]\b|\b[b-hj-z]\s*(?:[-+*=×·÷]|(?:plus|minus|times|divided by)\b)|(?:[+*=×·÷]|\b(?:plus|minus|times|divided by))\s*[b-hj-wyz]\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_TOGETHER = re.compile(r"(?<=\d) and (?=[\d/ ]+(?: [a-z]+)? (?:together|altogether|in total)\b)", re.IGNORECASE)


def find_requested_calculation(text: str) -> str:
    """Return the calculation or conversion that a message asks for; empty for none. A fraction alone is neither."""
    if wanted := find_requested_conversion(text):
        return wanted
    if _HAS_UNKNOWN.search(text):
        return ""
    text = _IS.sub(r"\1 = ", _SAME.sub(" = ", _TOGETHER.sub(" + ", _UNIT.sub("", text))))
    for pattern, sign in _IN_SIGNS:
        text = pattern.sub(sign, text)
    found, alone = [each for each in calculations_in(text) if joins_numbers(each)], find_calculation(text) or ""
    if found:
        return alone if _unspaced(found[0]) in _unspaced(alone) else found[0]  # A function may be around it.
    return alone if alone and joins_numbers(alone) else ""


def is_only_calculation(text: str) -> bool:
    """Tell whether a message is a question for a calculation and nothing else: "3/8 + 1/4 = ?", "what is 7/10 take away 1/2"."""
    words = _WORD.findall(spell_in_digits(text.lower().replace("’", "'")).replace("'", ""))
    asks = "?" in text or words[:1] == ["whats"] or words[:2] in (["what", "is"], ["how", "much"], ["work", "out"])
    return asks and all(map(_AROUND.fullmatch, words)) and bool(find_requested_calculation(text))


def is_open_calculation(wanted: str, context: Context) -> bool:
    """Tell whether a calculation is the one that the open prompt asks for."""
    waiting = context.prompts[0] if context.prompts and context.waits else None
    if waiting is None:
        return False
    if waiting.key is not None:
        return is_own_calculation(wanted, stem=waiting.text, key=waiting.key) or is_own_conversion(
            wanted, seen=_seen(waiting), key=waiting.key
        )
    return appears_in(wanted, waiting.text)


def _seen(prompt: Prompt) -> str:
    choices = prompt.instance.choices if prompt.instance is not None else ()
    return " ".join((prompt.text, *(each.text for each in choices)))


def _unspaced(text: str) -> str:
    return "".join(text.split())


def joins_numbers(expression: str) -> bool:
    """Tell whether an expression joins numbers by an operation; a fraction counts as one number."""
    return bool(_SIGN.search(re.sub(r"\d+\s*/\s*\d+", "1", expression).strip().lstrip("-")))
