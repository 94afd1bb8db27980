"""Compares a reply with a known answer: a number, one of some options, yes or no, an order, a word.

A reply commits to its first value, to its conclusion ("so it's 5/6") or to its correction ("no wait, 6"). Values on the
way do not count; without a commitment there is no verdict.
"""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from tutoring.grading import Form, Unparsable, grade, numeric_key, parse
from tutoring.grading.language.misspellings import is_one_slip_away
from tutoring.grading.language.synonyms import STOP, stem
from tutoring.grading.language.vocabulary import FRACTION_WORDS
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import ReplyVerdict
from tutoring.understanding.parsing.commitments import (
    DENIES,
    WORD,
    WORDS_OF_A_GUESS,
    after_correction,
    asks_back,
    before_reason,
    owes_reason,
    without_hedge,
)
from tutoring.understanding.parsing.spoken_numbers import (
    NUMBER,
    PARTS,
    SpokenNumber,
    committed_number,
    find_calculations,
    find_spoken_numbers,
    named_number,
    spell_in_digits,
    stated_result,
)
from tutoring.understanding.replies.offered_options import LESS, MORE, find_named_option, find_options, is_worded

# As `message.LONGEST_REPLY`; a model's known answer may be a whole solution.
LONGEST: Final = 300
"""Characters of a question and of its answer that are compared."""
# "it gets smaller" is a direction, "the smaller piece of the red bar" an option. Chosen by hand.
WORDS_OF_A_DIRECTION: Final = 5
"""Words up to which a known answer is only that something grows, shrinks or stays."""

# "the same", "it stays", "no change".
_UNCHANGED: Final = re.compile(r"\b(?:same|equal|keeps?|stays?|unchanged|nothing|no change)\b")
_IS_YES: Final = re.compile(r"(?:yes|true|correct|right)\b")
_IS_NO: Final = re.compile(r"(?:no|false|wrong|not)\b")
# Chat forms too: "yup", "ya", and "t" or "f" alone for true and false; "ja" and "si" slip in. "fine" and "ok" agree to
# go on and answer nothing (2026-11-24).
_YES: Final = re.compile(
    r"(?:yes+|yeah|yep|yup|ya|yea|sure|true|correct|right|of course|it is|they are|it does|it can|you can|she is|he is|they do|it did|i think so|indeed|exactly|definitely|aye|ja|si)\b"
    r"|[ty]\W*$"
)
# Chat forms and short sentences: "nah", "cap" (a lie), "it isnt", "they dont"; "nobody" answers "Who …?".
_NO: Final = re.compile(
    r"(?:no|nope|nah|naw|not|never|cap|false|wrong|(?:it|that|they|she|he)(?:'s|s| is|'re| are)? (?:not|isn'?t|aren'?t|wrong|can'?t|doesn'?t)"
    r"|(?:it|they|that) ?(?:did|does|do|is|are|ca|can)(?: not|n'?t)|nobody|incorrect|untrue|nein)\b|[fn]\W*$"
)
# "Ben is wrong", "that isnt right" as answers to "Is Ben right?": only in the first sentence.
_MISTAKEN: Final = re.compile(
    r"^[^.]*\b(?:(?:is|are|was|were) (?:wrong|rong|mistaken|incorrect)|not (?:right|true|so|correct))\b"
)
# "… so no": the conclusion counts if the reply does not begin with yes or no.
_CONCLUDED: Final = re.compile(r"\b(?:so|therefore)(?: i say| it'?s)?[\s,]+(?:(yes|true|right)|no|false|wrong)\b")
# The sign itself or a word for it: "bigger" answers "<, > or =?".
_SIGNS: Final = {
    ">": re.compile(rf">|{MORE.pattern}"),
    "<": re.compile(rf"<|{LESS.pattern}"),
    "=": re.compile(r"=|\b(?:same|equals?)\b"),
}
# The order of several numbers counts only if the question asks for one: "from smallest to largest".
_ORDERED: Final = re.compile(r"\b(?:order|sort|smallest|largest|biggest|from small|from large|next)\b")
# "numerator 5, denominator 9" is compared by label, in any order.
_LABELLED: Final = re.compile(rf"\b([a-z]{{3,}})\s+(?:is |= )?({NUMBER.pattern})")
# "in simplest form": then 2/4 for 1/2 is right in part.
_FINEST: Final = re.compile(r"\b(?:simpl\w+|lowest terms|completely|as far as)\b")
# "How many eighths?" is answered by 3 as well as by 3/8.
# Not "How many meters": there 3 is no 3/6.
_COUNTS_PARTS: Final = re.compile(rf"\bhow many (?:\w+ ){{0,2}}(?:{PARTS}|parts?|pieces?|slices?)\b|\?/|/\s*\?")
_ASKS_BOTTOM: Final = re.compile(r"\b(?:bottom|denominator|below)\b")
_PART_OF: Final = re.compile(r"\d+/(\d+)")
# "as a decimal": 1/2 for 0.5 is right in part.
_FORM: Final = re.compile(r"\b(?:as|to|into|give) an? (?:improper )?(fraction|decimal|mixed number)\b")
# "1/2 litre", "3 of the pieces": the word behind a number may be its unit.
_UNIT: Final = re.compile(r"\s*(?:of )?(?:an? |the )?([a-zµ²]+)")
# "she owes 4": a balance of -4, or 4 dollars.
_OWES: Final = re.compile(r"\bowe[sd]? (?:\w+ )?$")
# "its still 9, one guy doesnt change it": no number, unless a 1 is typed.
_ONE: Final = re.compile(r"^(?!.*(?<![\d.,/])1(?![\d.,/])).*\bone\b", re.DOTALL)
_ONE_NOUN: Final = re.compile(r"(?<![\d/.,])1(?= [a-z])")
# "9 parts", "3 of them", "8 of the little pieces".
_THINGS: Final = re.compile(
    r"(?<=\d)(?: (?:\w+ )?(?:parts?|pieces?|slices?|boxes|squares?)\b)?(?: of (?:them|these|those|it)\b| of the (?:\w+ )?(?:parts|pieces|slices|boxes|squares)\b)?"
)
# "you have to shade 9 parts"; not "my sister is 3".
_LAYS: Final = re.compile(
    r"(?:(?:you|u|i|we|it|they|have|has|need|needs|must|should|would|to|just|shade|color|colour|fill|put|lay|take|took|is|are|in)\W+)*"
)
# "…, so oxygen": the conclusion of an answer in words.
_SO: Final = re.compile(r"\bso (?:its |it'?s |the )?")
_CLAUSE_END: Final = re.compile(r"[,.;!]")
# The m of "5 + 3m = 20".
_UNKNOWN: Final = re.compile(r"\d([a-z])\b\s*[-+=−]|[-+=−]\s*\d*([a-z])\b")
# Articles of other languages and "mostly": "mostly nitrogen" is "nitrogen".
_FILLERS: Final = frozenset(["mostly", "mainly", "called", "named", "der", "die", "das", "le", "la", "el", "un", "una"])


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerComparison:
    """The value of a reply and its verdict against a known answer."""

    value: str
    verdict: ReplyVerdict


def compare_reply(message: MessageText, asked: str, known: str) -> AnswerComparison | None:
    """Return the comparison of a reply with the known answer to a question; None if it commits to nothing."""
    said = _without_pronoun(message.figures, message.words)
    question, answer = spell_in_digits(asked[-LONGEST:]), spell_in_digits(known[:LONGEST])
    if not said or not answer or asks_back(said):
        return None
    found = _compare_parts(said, asked[-LONGEST:], question, answer)
    if found is not None and found.verdict == "right" and owes_reason(said, question, answer):
        return AnswerComparison(value=found.value, verdict="partly")
    return found


def committed_count(said: str) -> Fraction | None:
    """Return the number of things that a reply in digits commits to; None for none: "9 of them, because 45 is 9 fives"."""
    if asks_back(said):
        return None
    last = _THINGS.sub("", after_correction(said))
    begins = len(last) - len(without_hedge(last))
    number, is_sure = committed_number(
        last, begins=begins, named=frozenset(), corrects=False, most_words=WORDS_OF_A_GUESS
    )
    if number is None or not is_sure:
        return None
    is_meant = _LAYS.fullmatch(last[begins : number.start]) or stated_result(last) == number.text
    return number.value if is_meant else None


def _without_pronoun(said: str, words: str) -> str:
    """Return a reply with "a guy" for "1 guy" if it says "one guy", and another number besides."""
    if not _ONE.search(words) or not any(each.text != "1" for each in find_spoken_numbers(said)):
        return said
    return _ONE_NOUN.sub("a", said)


def _compare_parts(said: str, asked: str, question: str, answer: str) -> AnswerComparison | None:
    numbers = find_spoken_numbers(answer)
    is_list = len(numbers) > 1 and re.search(r"[,;]|\band\b", answer)
    if _IS_YES.match(answer) or _IS_NO.match(answer):
        return _polar(said, yes=bool(_IS_YES.match(answer)))
    if answer in _SIGNS:
        return _sign(said, answer)
    if not is_list and (options := find_options(asked, question, answer)):
        chosen = find_named_option(said, question, options)
        return _judged(chosen.text, chosen.is_right) if chosen else None
    if len(answer.split()) <= WORDS_OF_A_DIRECTION and not numbers and (wanted := _directions(answer)):
        given = _directions(before_reason(after_correction(said)))
        return _judged(said, given == wanted) if len(given) == 1 else None
    if len(numbers) > 1:
        return _several(said, question, answer)
    return _number(said, question, answer) if numbers and not is_worded(answer) else _words(said, asked, answer)


def _judged(value: str, is_right: bool) -> AnswerComparison:
    return AnswerComparison(value=value, verdict="right" if is_right else "wrong")


def says_yes(said: str) -> bool | None:
    """Return whether a reply begins with a yes or a no, after hedges; None for neither."""
    said = after_correction(said.lower()).strip()
    for part in (said, without_hedge(said)):
        if _NO.match(part) or _YES.match(part):
            return not _NO.match(part)
    return None


def begins_with_yes(answer: str) -> bool | None:
    """Return whether an answer begins with a word for yes or one for no; None for neither."""
    plain = answer.lower()
    return True if _IS_YES.match(plain) else False if _IS_NO.match(plain) else None


def _polar(said: str, *, yes: bool) -> AnswerComparison | None:
    said = after_correction(said).strip()
    if (meant := says_yes(said)) is not None:
        return _judged(said, meant == yes)
    if _MISTAKEN.search(said):
        return _judged(said, not yes)
    concluded = _CONCLUDED.search(said)
    return _judged(said, bool(concluded[1]) == yes) if concluded else None


def _sign(said: str, wanted: str) -> AnswerComparison | None:
    """Compare a reply with <, > or =, by the first sign or word for one."""
    part = before_reason(after_correction(said))
    places = {found.start(): sign for sign, pattern in _SIGNS.items() if (found := pattern.search(part))}
    return _judged(said, places[min(places)] == wanted) if places else None


def _directions(text: str) -> list[re.Pattern[str]]:
    """Return the patterns (more, less, unchanged) that a text matches."""
    return [each for each in (MORE, LESS, _UNCHANGED) if each.search(text)]


def _several(said: str, question: str, answer: str) -> AnswerComparison | None:
    """Compare a reply with several numbers: by their labels, else in order if the question asks for one."""
    said = re.sub(rf"\bthe ({PARTS})\b", lambda part: f"1/{FRACTION_WORDS[part[1]]}", after_correction(said))
    labels, labelled = _by_label(answer), _by_label(said)
    if len(labels) > 1 and labels.keys() == labelled.keys():
        return _judged(said, labels == labelled)
    right, given = ([each.value for each in find_spoken_numbers(text)] for text in (answer, said))
    if Counter(right) <= Counter(given):
        in_row = any(given[at : at + len(right)] == right for at in range(len(given)))
        return _judged(said, in_row or not _ORDERED.search(question))
    if len(given) < len(right) and set(given) & set(right):
        return AnswerComparison(value=said, verdict="partly")
    return _judged(said, False) if len(given) == len(right) else None


def _by_label(text: str) -> dict[str, Fraction | None]:
    """Return numbers by the word before each: "numerator 5, denominator 9"."""
    return {each[1]: number.value for each in _LABELLED.finditer(text) for number in find_spoken_numbers(each[2])}


def _number(said: str, question: str, known: str) -> AnswerComparison | None:
    """Compare a reply with one number; an unsure commitment counts only if it is right."""
    last = _without_terms(after_correction(said), question)
    if not find_spoken_numbers(last):
        meant = named_number(_CLAUSE_END.split(without_hedge(last), maxsplit=1)[0])
        return _graded(meant, question, known) if meant else None
    named = {each.text for each in find_spoken_numbers(question)} - {each.text for each in find_spoken_numbers(known)}
    number, is_sure = committed_number(
        last,
        begins=len(last) - len(without_hedge(last)),
        named=frozenset(named),
        corrects=last != said,
        most_words=WORDS_OF_A_GUESS,
    )
    if (found := _calculated(last, number, question, known)) is not None:
        return found
    found = _with_unit(last, number, question, known) if number else None
    return found if found and (is_sure or found.verdict != "wrong") else None


def _without_terms(said: str, question: str) -> str:
    """Return a text without the terms in the question's unknown, whose numbers are no answer: "5 and 3m is 8m"."""
    unknown = {letter for found in _UNKNOWN.findall(question) for letter in found if letter}
    return re.sub(rf"(?<![\w.])\d+(?:{'|'.join(sorted(unknown))})(?![a-z])", " ", said) if unknown else said


def _calculated(said: str, number: SpokenNumber | None, question: str, known: str) -> AnswerComparison | None:
    """Compare a reply that ends in a calculation: "its the same as 11 + 4" is right, but for its value.

    `number` is what the reply commits to by itself. A wrong calculation counts only if that is a part of it.
    """
    calculations = find_calculations(before_reason(said))
    if not calculations or calculations[-1].text in {each.text for each in find_calculations(question)}:
        return None
    last = calculations[-1]
    is_committed = number is not None and last.start <= number.start < last.end
    if number is not None and not is_committed:
        return None
    found = _graded(last.text, question, known)
    if found is None or (found.verdict == "wrong" and not is_committed):
        return None
    return AnswerComparison(value=last.text, verdict="wrong" if found.verdict == "wrong" else "partly")


def _with_unit(said: str, number: SpokenNumber, question: str, known: str) -> AnswerComparison | None:
    """Return the verdict on a number alone, with the word behind it ("1/2 litre"), or as a count ("7 tenths" of "?/10")."""
    readings = [number.text]
    if unit := _UNIT.match(said[number.end :]):
        readings.append(f"{number.text} {unit[1]}")
    if _OWES.search(said[: number.start]):
        readings.append(f"-{number.text}")
    top, _slash, bottom = number.text.partition("/")
    if bottom and _COUNTS_PARTS.search(question):
        readings.append(top)
    if bottom and _ASKS_BOTTOM.search(question):
        readings.append(bottom)
    if not bottom and _COUNTS_PARTS.search(question) and (parts := _PART_OF.fullmatch(known)):
        readings.append(f"{top}/{parts[1]}")  # "How many eighths?": 3/8 is known, and the reply says 3.
    verdicts = [_graded(each, question, known) for each in readings]
    return next((each for each in verdicts if each and each.verdict == "right"), verdicts[0])


@lru_cache(maxsize=256)
def _graded(value: str, question: str, known: str) -> AnswerComparison | None:
    form: Form = "simplified" if _FINEST.search(question) else "any"
    bare = [each.text for each in find_spoken_numbers(known)] if not re.search("[a-z]", value) else []
    verdicts = {_grade(each, value, form) for each in (*re.split(r"\(?\bor\b|[()]", known), *bare) if each.strip()}
    if "correct" in verdicts:
        return AnswerComparison(value=value, verdict="right" if _is_in_form(value, question) else "partly")
    if "equivalent_not_in_form" in verdicts:
        return AnswerComparison(value=value, verdict="partly")
    return AnswerComparison(value=value, verdict="wrong") if verdicts & {"wrong", "sign_error"} else None


def _grade(known: str, value: str, form: Form) -> str:
    try:
        parse(known)
    except Unparsable:
        return "unparsable"
    return grade(numeric_key(known, form=form), value).verdict


def _is_in_form(value: str, question: str) -> bool:
    """Tell whether a value is written in the form that the question asks for: fraction, mixed number or decimal."""
    asked = _FORM.search(question)
    wanted = asked[1] if asked else ""
    if wanted == "decimal":
        return "/" not in value and "%" not in value
    return " " in value if wanted == "mixed number" else "/" in value or wanted != "fraction"


def _words(said: str, asked: str, answer: str) -> AnswerComparison | None:
    """Compare a reply with an answer in words: the answer's key word must come before any other new word."""
    said = after_correction(said)
    if re.search(r"[\"“”']\w", asked):  # A translation or a spelling: every word counts.
        wanted, given = WORD.findall(answer), WORD.findall(said)
        return _judged(said, True) if any(given[at : at + len(wanted)] == wanted for at in range(2)) else None
    concluded, words = _SO.search(said), set(WORD.findall(spell_in_digits(asked)))
    parts = [without_hedge(said[concluded.end() :] if concluded else said), without_hedge(said)]
    return next((found for part in parts if (found := _said_words(part, words, answer))), None)


def _said_words(said: str, asked: set[str], answer: str) -> AnswerComparison | None:
    words = [each for each in WORD.findall(said) if each not in STOP and each not in _FILLERS]
    for each in re.split(r"[()/;]|\bor\b", answer):
        content = [word for word in WORD.findall(each) if word not in STOP]
        wanted = [word for word in content if word not in asked] or content
        place = next((at for at, word in enumerate(words) if wanted and _is_alike(word, wanted[-1])), None)
        if place is None or set(words[:place]) - asked - set(content):
            continue
        if not DENIES.search(said[: said.find(words[place])]):
            return _judged(said, True)
    return None


def _is_alike(word: str, meant: str) -> bool:
    # Of words of four letters a typing error is too often another word: "half", "hall".
    return stem(word) == stem(meant) or (len(meant) > 4 and is_one_slip_away(word, meant))
