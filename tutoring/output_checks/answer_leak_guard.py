"""Guards an open question's answer in a model's words. An allow-list: in doubt the text leaks.

A text may hold no number, lone letter or sign that is not in the question, the learner's messages or the move's own
words; what it holds must not combine to the answer; and it must not point to an option by letter, place or words.
(A list of forbidden spellings was tried first, and models found others.)
"""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import ChoiceKey, MultiKey, NumericKey, StepsKey, TextKey, grade
from tutoring.grading.language.vocabulary import FRACTION_WORDS
from tutoring.grading.parsing.number_finder import numbers_in
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.output_checks.idea_statements import find_stated_answer
from tutoring.output_checks.number_combinations import (
    NumberCombination,
    find_combinations,
    fraction_pairs,
    fraction_places,
)
from tutoring.output_checks.number_mentions import BENCHMARKS, NumberMention, find_number_mentions, normalize_signs
from tutoring.output_checks.option_pointers import NOUN, OptionTexts, find_pointer, lone_letters

# No reply is half as long; a longer text is refused unread.
MAX_SEARCHED: Final = 2_000
"""Characters of a text."""
# With LATEST it bounds the work: a long conversation cost .4 s a sentence on the event loop (2026-11-23).
MAX_OF_LEARNER: Final = 1_000
"""Characters of each of the learner's messages that may be repeated."""
LATEST: Final = 30
"""The learner's latest messages that count."""
# "is it 1 2 3 4 5 6 7 8 9" would free every number. Chosen by hand.
MOST_NAMED: Final = 8
"""Numbers in a message: one with more frees none of them."""

# "●●●" or "| | |" tells a number as a tally.
_REPEATED = re.compile(r"([^\w\s.?!…'\"“”‘’,*_-])(?:\s*\1){2,}")
# "IIIII", "xxx" (2026-11-23: passed until then).
_RUN = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
# "it is one", "exactly two": the word is the answer and not a pronoun.
_ASSERTED = re.compile(r"(?:\b(?:is|are|be|equals?|makes?|exactly|answer)|['’]s)\W+(?:an?\s+)?$", re.IGNORECASE)
# "which one", "the other one": a pronoun.
_POINTED = re.compile(r"\b(?:which|each|every|this|that|any|another|the(?:\s+\w+)?|a\s+\w+)\s+$", re.IGNORECASE)
# Emoji faces are no signs to count.
_FACES: Final = range(0x1F600, 0x1F650)


@dataclass(frozen=True, kw_only=True)
class OpenQuestion:
    """An open question, and the texts whose content may be repeated."""

    instance: Exercise
    said: tuple[str, ...] = ()
    """What the learner wrote in this conversation, answers included."""
    supplied: tuple[str, ...] = ()
    """The authored words of the chosen move: its rung's hint, the course's feedback."""

    def __hash__(self) -> int:
        return hash((self.instance.template, self.instance.seed, self.said, self.supplied))

    @property
    def named(self) -> tuple[str, ...]:
        """The learner's messages whose content may be repeated."""
        return _named(self.said[-LATEST:])

    def supplying(self, *words: str) -> "OpenQuestion":
        """Return the question with more words supplied by the move."""
        return OpenQuestion(instance=self.instance, said=self.said, supplied=(*self.supplied, *filter(None, words)))


@lru_cache(maxsize=64)
def _named(said: tuple[str, ...]) -> tuple[str, ...]:
    latest = (words[:MAX_OF_LEARNER] for words in said)
    return tuple(words for words in latest if len(find_number_mentions(normalize_signs(words))) <= MOST_NAMED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShownContent:
    """The content that may be repeated."""

    text: str
    numbers: frozenset[int | str]
    """Values and words."""
    letters: frozenset[str]
    worths: frozenset[tuple[str, frozenset[Fraction]]]


def find_leak(text: str, question: OpenQuestion) -> str:
    """Return the kind of leak in a model's text about an open question; empty for none.

    `number`, `letter`, `sign`: one that is not shown · `worth`: shown numbers that combine to the answer · `value`: the
    answer itself · `option`, `place`: which one is right or wrong · `idea`: what an answer in words must say · `long`.
    """
    if len(text) > MAX_SEARCHED:
        return "long"
    said, shown, key = normalize_signs(text), _shown(question), question.instance.key
    if _new_numbers(said, shown, _parts_of(question.instance)):
        return "number"
    if _has_sign(text, shown) or _has_run(said, shown):
        return "sign"
    if _foreign_letters(said) - _foreign_letters(shown.text):
        return "letter"
    if isinstance(key, ChoiceKey | MultiKey):
        return find_pointer(said, _options_of(question))
    if lone_letters(said) - shown.letters:
        return "letter"
    if isinstance(key, TextKey):
        return find_stated_answer(said, key, shown=shown.text)
    if discloses_answer(text, question.instance, question.named) or _says_in_a_word(said, question):
        return "value"
    return "worth" if isinstance(key, NumericKey | StepsKey) and _comes_to_answer(said, question, shown) else ""


@lru_cache(maxsize=64)
def _shown(question: OpenQuestion) -> _ShownContent:
    every = (question.instance.stem, *question.named, *question.supplied)
    texts = [normalize_signs(text) for text in every]
    return _ShownContent(
        text="\n".join(texts),
        numbers=frozenset(
            each for text in texts for number in find_number_mentions(text) for each in (number.value, number.word)
        ),
        letters=frozenset(letter for text in texts for letter in lone_letters(text)),
        worths=frozenset((each.operation, each.operands) for text in texts for each in find_combinations(text)),
    )


def _new_numbers(said: str, shown: _ShownContent, parts: frozenset[int]) -> bool:
    return any(
        number.word not in shown.numbers
        and not (number.is_plain and (number.value in shown.numbers or _is_benchmark(number, parts)))
        for number in find_number_mentions(said)
    )


def _is_benchmark(number: NumberMention, parts: frozenset[int]) -> bool:
    """Tell whether it is an everyday number word, or a one, that is not part of the answer."""
    if number.word in ("one", "ones", "both"):  # Mostly of a thing: "which one".
        return True
    return (number.word in BENCHMARKS or number.value == 1) and number.value not in parts


@lru_cache(maxsize=64)
def _parts_of_key(value: str) -> frozenset[int]:
    found = {number.value for number in find_number_mentions(normalize_signs(value))}
    for number in numbers_in(value):
        whole, rest = divmod(number.numerator, number.denominator)
        found |= {whole} if rest == 0 else {number.numerator, number.denominator, whole, rest}
    return frozenset(found)


def _parts_of(instance: Exercise) -> frozenset[int]:
    """Return the whole numbers in the answer's spellings."""
    return _parts_of_key(str(getattr(instance.key, "value", "") or " ".join(getattr(instance.key, "values", ()))))


def _has_sign(text: str, shown: _ShownContent) -> bool:
    """Tell whether a text holds a pictograph other than a face, or the same sign three times in a row."""
    if any(unicodedata.category(sign) == "So" and ord(sign) not in _FACES and sign not in shown.text for sign in text):
        return True
    return _REPEATED.search(text) is not None


def _has_run(said: str, shown: _ShownContent) -> bool:
    """Tell whether a text holds a letter three times or more in a row (a tally) that is not shown."""
    return any(run.group() not in shown.text for run in _RUN.finditer(said))


def _foreign_letters(text: str) -> frozenset[str]:
    """Return the non-Latin letters of a text, in lower case: no vocabulary has the number words of every language."""
    letters = {sign for sign in text.casefold() if not sign.isascii() and unicodedata.category(sign) in ("Ll", "Lo")}
    return frozenset(sign for sign in letters if not unicodedata.name(sign, "").startswith("LATIN"))


def _says_in_a_word(said: str, question: OpenQuestion) -> bool:
    """Tell whether an everyday word gives a whole-number answer: "It is a pair", "exactly one", not "which one"."""
    key = question.instance.key
    answer = next(iter(numbers_in(key.value)), None) if isinstance(key, NumericKey | StepsKey) else None
    if answer is None or any(
        number.value == answer for words in question.named for number in find_number_mentions(normalize_signs(words))
    ):
        return False
    words = (each for each in find_number_mentions(said) if each.value == answer and each.word.isalpha())
    counts = (each for each in words if each.word not in FRACTION_WORDS and not each.word.startswith("halv"))
    return any(_ASSERTED.search(said[: each.start]) or not _names_thing(said, each) for each in counts)


def _names_thing(said: str, number: NumberMention) -> bool:
    """Tell whether a number word is a pronoun ("which one") or counts the next noun ("both fractions")."""
    return bool(_POINTED.search(said[: number.start]) or NOUN.match(said[number.end :]))


def _options_of(question: OpenQuestion) -> OptionTexts:
    """Return a choice's options with the texts whose content may be repeated."""
    key = question.instance.key
    assert isinstance(key, ChoiceKey | MultiKey)
    return OptionTexts(
        options=key.options, stem=question.instance.stem, said=question.named, supplied=question.supplied
    )


def _comes_to_answer(said: str, question: OpenQuestion, shown: _ShownContent) -> bool:
    """Tell whether shown numbers are combined to the answer: by an operation, as top and bottom, or as a pair."""
    key = question.instance.key
    assert isinstance(key, NumericKey | StepsKey)
    answer = next(iter(numbers_in(key.value)), None)
    if answer is None or answer in numbers_in("\n".join(question.named)):
        return False
    if any(
        each.value == answer and not _restates(each, shown, question) for each in find_combinations(said, in_parts=True)
    ):
        return True
    if answer.denominator == 1:
        return False
    numbers = numbers_in(shown.text)
    # If the answer is one of the numbers shown, pointing at its parts picks it.
    is_shown = answer in numbers and grade(key, str(answer)).is_correct
    own = (
        set() if is_shown else {place for number in numbers for place in _placed(number)} | fraction_places(shown.text)
    )
    if (fraction_places(said) - own) & _placed(answer):
        return True
    return answer in fraction_pairs(said) and (
        is_shown or answer not in {*numbers, *(each.value for each in find_combinations(shown.text))}
    )


def _placed(number: Fraction) -> set[tuple[str, Fraction]]:
    return {("top", Fraction(number.numerator)), ("bottom", Fraction(number.denominator))}


def _restates(each: NumberCombination, shown: _ShownContent, question: OpenQuestion) -> bool:
    """Tell whether an operation is among the shown ones and is no answer itself, as "5/6" is for "5 of the 6"."""
    is_answer = (
        "/" in each.operation and len(each.operands) == 2 and grade(question.instance.key, str(each.value)).is_correct
    )
    return (each.operation, each.operands) in shown.worths and not is_answer
