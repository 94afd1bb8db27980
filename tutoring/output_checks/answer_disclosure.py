"""Detects texts by people that disclose an exercise's answer: by value, letter or words."""

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tutoring.grading import (
    ChoiceKey,
    CodeKey,
    ConstructionKey,
    ExpressionKey,
    Judgement,
    LinesKey,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
    TraceKey,
    Verdict,
    grade,
    numbers_in,
)
from tutoring.grading.algebra.comparison import is_number
from tutoring.grading.algebra.nodes import Relation
from tutoring.grading.boards import CutBoard
from tutoring.grading.equation_boards import LineBoard, PointBoard
from tutoring.grading.parsing.interpretations import parse_key
from tutoring.grading.parsing.normalization import normalize_answer
from tutoring.grading.parsing.number_finder import number_spans
from tutoring.grading.shown_values import pair_of
from tutoring.output_checks.algebra_mentions import algebra_in, letters_in
from tutoring.output_checks.arrangement_mentions import pairs_in_text, tells_order
from tutoring.output_checks.number_mentions import normalize_signs
from tutoring.output_checks.plane_mentions import says_on_plane
from tutoring.output_checks.program_mentions import says_program

if TYPE_CHECKING:
    from tutoring.courses.exercises.exercise import Exercise
    from tutoring.grading import AnswerKey

# 0.33 and 33 % disclose 1/3, 0.7 discloses 2/3 nearly: within 2.5 % a learner can guess the fraction. Chosen by hand.
ROUNDED_BY = Fraction(1, 40)
"""Relative distance within which a decimal counts as a rounding of the answer."""
# Bound the work on the event loop; a text that is too long counts as disclosing. Chosen by hand.
_SEARCHED, _SEARCHED_OF_LEARNER = 6_000, 1_000

_SAME_VALUE: frozenset[Verdict] = frozenset({"correct", "equivalent_not_in_form"})
# "3 + 4/5", "(2 + 3) * 4 = 20", or a lone digit: 60 characters, and no letters.
_EXPRESSION = re.compile(r"[-+(]?[\d.(][\d ./,+\-*×÷·^()=%]{0,60}[\d)%]|\d")
# What the question itself shows may be repeated as a sum, which is no answer.
_OPERATOR = re.compile(r"\d\s*[-+*×÷·^]\s*\(?\d|=")
# LaTeX in dollars or brackets is read as one expression.
_MATHS = re.compile(r"\$([^$]{1,200})\$|\\\((.{1,200}?)\\\)|\\\[(.{1,200}?)\\\]", re.DOTALL)
_WORDS = re.compile(r"\w+(?:[./]\w+)*")
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
# Words before a letter that make it an option: "pick A", "answer is C".
_POINTER = r"(?:option|choice|answer|letter|picture|cut|one|it'?s|is|pick|choose|choosing|select|take|tick|try|namely|and|or|not)"


def discloses_answer(message: str, instance: "Exercise", said_by_learner: Iterable[str] = ()) -> bool:
    """Tell whether a text discloses the answer: as its value, a choice's letter or text, or a literal reference answer.

    What the learner has said may be repeated. A text too long to search counts as disclosing.
    """
    if len(message) > _SEARCHED:
        return True
    said = [words[:_SEARCHED_OF_LEARNER] for words in said_by_learner]
    bare = normalize_signs(message)
    return _discloses(message, instance, said) or (bare != message and _discloses(bare, instance, said))


def _discloses(message: str, instance: "Exercise", said: list[str]) -> bool:
    match instance.key:
        case NumericKey() | ExpressionKey() | StepsKey():
            return _says_value(message, instance) and not any(_says_value(words, instance) for words in said)
        case ConstructionKey() as key:
            return _says_construction(message, instance, key) and not any(
                _says_construction(words, instance, key) for words in said
            )
        case SetKey() as key:
            return _says_set(message, key, instance.stem) and not any(
                _says_set(each, key, instance.stem) for each in said
            )
        case OrderKey() as key:
            return tells_order(message, key) and not any(tells_order(each, key) for each in said)
        case MatchKey() as key:
            known = {pair for words in said for pair in pairs_in_text(words, key)}
            return bool(pairs_in_text(message, key) - known)
        case ChoiceKey(right=right, options=options):
            return _says_choice(message, right={right}, options=options, said=said)
        case MultiKey(right=letters, options=options):
            return _says_choice(message, right=set(letters), options=options, said=said)
        case TraceKey() | CodeKey() | LinesKey() as key:
            return says_program(message, key, instance.stem) and not any(
                says_program(each, key, instance.stem) for each in said
            )
        case TextKey() as key:
            return _says_reference(message, key) and not any(grade(key, words).is_correct for words in said)


def _says_construction(text: str, instance: "Exercise", key: ConstructionKey) -> bool:
    """Tell whether a text says the number to be shown, unless the question does, or where all the cuts go."""
    if isinstance(key.board, PointBoard | LineBoard):
        return says_on_plane(text, key.board, pair_of(key.value)) and not says_on_plane(
            instance.stem, key.board, pair_of(key.value)
        )
    value = Fraction(key.value)
    if isinstance(key.board, CutBoard) and value > 2:
        return {Fraction(place) / value for place in range(1, int(value))} <= set(numbers_in(text))
    return value not in numbers_in(instance.stem) and _says_value(text, instance)


def _says_value(text: str, instance: "Exercise") -> bool:
    values, stem, asked = _values_of(instance.key), normalize_answer(instance.stem), _ending_of(instance.key)
    if any(
        _same_value(key, value) and not _stands_in(stem, shown=shown, key=asked)
        for shown, value in _said_in(text, _names_of(instance.key))
        for key in values
    ):
        return True
    if isinstance(instance.key, StepsKey) and any(_says_words(text, line) for line in instance.solution):
        return True
    numbers = [number for key in values if isinstance(key, NumericKey) for number in numbers_in(key.value)]
    return any(_rounds(shown, number) for shown in numbers_in(text) for number in numbers)


def _ending_of(key: "AnswerKey") -> "AnswerKey":
    """Return the key of the final answer: of a working, that of its last line."""
    if not isinstance(key, StepsKey):
        return key
    (ending, *_) = _value_keys(key.value)
    return replace(ending, form=key.form)


def _said_in(text: str, names: frozenset[str]) -> set[tuple[str, str]]:
    """Return the numbers and expressions of a text: as shown, and as the grader reads them."""
    said = {(shown, str(number)) for shown in number_spans(text) for number in numbers_in(shown)}
    return said | {(shown, shown) for shown in (*expressions_in(text), *(algebra_in(text, names) if names else ()))}


def _names_of(key: "AnswerKey") -> frozenset[str]:
    """Return the variables of the question."""
    return letters_in(key.start, key.value) if isinstance(key, StepsKey) else letters_in(getattr(key, "value", ""))


def _says_set(text: str, key: SetKey, stem: str) -> bool:
    """Tell whether a text names a right value that the question does not show, or all the right ones and no other."""
    shown_in_stem = number_spans(stem)
    same = _same_writing if key.form == "as_written" else _same_number
    told = [shown for shown in (*number_spans(text), *expressions_in(text)) if parse_key(shown) is not None]
    right = {value for value in key.values if any(same(value, shown) for shown in told)}
    if any(not any(same(value, shown) for shown in shown_in_stem) for value in right):
        return True
    others = [each for each in shown_in_stem if not any(same(value, each) for value in key.values)]
    return right == set(key.values) and not any(same(other, shown) for other in others for shown in told)


def _same_number(value: str, shown: str) -> bool:
    return _same_value(ExpressionKey(value=value), shown)


def _same_writing(value: str, shown: str) -> bool:
    return parse_key(value) == parse_key(shown)


def _rounds(shown: Fraction, number: Fraction) -> bool:
    """Tell whether a decimal or a percentage is the number, rounded: 0.33 and 33 % for a third."""
    is_decimal = shown.denominator > 1 and 10**6 % shown.denominator == 0
    return shown != number and is_decimal and abs(shown - number) <= abs(number) * ROUNDED_BY


def _values_of(key: "AnswerKey") -> tuple["AnswerKey", ...]:
    """Return keys that accept the value in any form."""
    match key:
        case NumericKey(value=value) | ConstructionKey(value=value):
            return (NumericKey(value=value),)
        case StepsKey(start=start, value=value):
            is_equation = isinstance(parse_key(start), Relation)
            return (ExpressionKey(value=value), ExpressionKey(value=start)) if is_equation else _value_keys(value)
        case _:
            return (key,)


def _value_keys(value: str) -> tuple[NumericKey | ExpressionKey]:
    node = parse_key(value)
    return (NumericKey(value=value),) if node is not None and is_number(node) else (ExpressionKey(value=value),)


def _same_value(key: "AnswerKey", expression: str) -> bool:
    judgement: Judgement = grade(key, expression)
    return judgement.verdict in _SAME_VALUE


def _stands_in(stem: str, *, shown: str, key: "AnswerKey") -> bool:
    """Tell whether the question itself shows these words and they do not answer it: a sum, or an unreduced form."""
    if shown not in stem and not (re.search("[a-z]", shown) and _unspaced(shown) in _unspaced(stem)):
        return False
    return bool(_OPERATOR.search(shown)) or not grade(key, shown).is_correct


def _unspaced(text: str) -> str:
    return "".join(text.split())


def expressions_in(text: str) -> list[str]:
    """Return the numeric expressions of a text, in digits and signs."""
    maths = [next(filter(None, match.groups())) for match in _MATHS.finditer(text)]
    return [shown.strip() for shown in (*maths, *_EXPRESSION.findall(normalize_answer(text)))]


def _says_choice(message: str, *, right: set[str], options: tuple[tuple[str, str], ...], said: list[str]) -> bool:
    texts = dict(options)
    places = {letter: place for place, (letter, _text) in enumerate(options)}
    for letter in sorted(right):
        known = any(_names_option(words, letter, texts.get(letter, "")) for words in said)
        if not known and (
            _names_option(message, letter, texts.get(letter, "")) or _counts_to(message, places.get(letter))
        ):
            return True
    return False


def _counts_to(message: str, place: int | None) -> bool:
    """Tell whether the message names the option by its place: "the third one"."""
    if place is None or place >= len(_PLACES):
        return False
    return (
        re.search(rf"(?i:\b{_PLACES[place]}\s+(?:one|option|choice|answer|picture|cut|letter)\b)", message) is not None
    )


def _names_option(message: str, letter: str, text: str) -> bool:
    if _points_at(message, letter):
        return True
    option = _words_of(text)
    if not option:
        return False
    # "3/4 of it" names a number; longer options are compared by their words. Chosen by hand.
    if (numbers := numbers_in(text)) and len(option) <= 3:
        shown = numbers_in(message)
        return all(any(each == number or _rounds(each, number) for each in shown) for number in numbers)
    return f" {' '.join(option)} " in f" {' '.join(_words_of(message))} "


def _points_at(message: str, letter: str) -> bool:
    """Tell whether the message names the letter as an option; "a" and "I" are mostly words of their own."""
    name = re.escape(letter)
    if re.search(rf"(?i:\({name}\))|(?<!\w){name}\)|[\"'“‘*]{name}[\"'”’*]", message):
        return True
    if re.search(rf"(?i:\b(?:option|choice|letter|answer)s?\s+(?:is\s+|was\s+)?{name}\b)(?!\s*half)", message):
        return True
    if letter.upper() not in ("A", "I"):
        return re.search(rf"(?<![\w'’-]){name.upper()}(?![\w'’-])", message) is not None
    article = re.search(
        rf"(?i:\b{_POINTER})\s+{name.upper()}(?![\w'’-])|(?<![\w'’-]){name.upper()}(?=\W*$|[.,:;](?:\s|$))", message
    )
    return article is not None or re.search(rf"^{name.upper()}\s+(?:is|was|looks|and|or)\b", message) is not None


def _says_reference(message: str, key: TextKey) -> bool:
    return any(_says_words(message, reference) for reference in key.references)


def _says_words(message: str, words: str) -> bool:
    wanted = " ".join(_words_of(words))
    return bool(wanted) and f" {wanted} " in f" {' '.join(_words_of(message))} "


def _words_of(text: str) -> list[str]:
    return _WORDS.findall(normalize_answer(text).casefold())
