"""Numbers as learners say them, in digits and in words, and which of them a reply commits to."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from tutoring.grading.language.misspellings import correct_spelling
from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS
from tutoring.grading.parsing.normalization import normalize_fractions
from tutoring.understanding.parsing.commitments import DENIES, REASON, before_reason

_NUMBERS: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
PARTS: Final = "|".join(sorted(FRACTION_WORDS, key=len, reverse=True))
_TENS: Final = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
# "two hundred and five", "a hundred".
_HUNDREDS: Final = re.compile(
    rf"\b(?:(\d|{_NUMBERS})? ?hundred(?: and)?\b ?)((?:{_NUMBERS})?(?:[ -](?:{_NUMBERS}))?)\b"
)
# "twenty five", "twenty-five".
_TENS_AND_ONES: Final = re.compile(rf"\b({_TENS})[ -](one|two|three|four|five|six|seven|eight|nine)\b")
# "zero point seven five".
_POINT: Final = re.compile(rf"\b(\d+|{_NUMBERS}) point ((?:(?:\d|{_NUMBERS})\b ?)+)")
# "three quarters", "a third"; not "a third of it", which is a share of something.
_COUNTED: Final = re.compile(rf"\b(an?|\d+|{_NUMBERS})(?: more)?[ -]({PARTS})\b(?! (?:of )?(?:it|them)\b)")
_PART: Final = "|".join(word for word in FRACTION_WORDS if not word.endswith("s"))
# "the sixth" as a whole reply names 1/6; not "the third one", which points.
_BARE_PART: Final = re.compile(rf"^(?:the |its the |it'?s the |a )?({_PART})\b(?! one)")
# "there" is one letter from "three", "seen" from "seven": real words are never taken for number words.
_NO_SLIPS: Final = frozenset(["there", "tree", "thee", "fort", "tent", "teen", "then", "they", "seen"])
# "the bigger one", "each one", "I got one wrong": a pronoun, and no number 1.
_PRONOUN_ONE: Final = re.compile(
    r"\b(the|each|this|that|which|first|second|2nd|third|last|middle|other|every|any|no|left|right|same|big|little|half"
    r"|next|wrong|new|different|whole|\w+er|\w+est|(?:get|got|getting)(?= one (?:wrong|right)\b)) ones?\b"
)
# Spellings that are rewritten before words become digits: "three eights", "3 \ 4", "3/4ths", "2 n a half",
# "3 outta 4", "a hundred", "minus 3".
_PLAINER: Final = (
    (rf"\b(an?|\d+|{_NUMBERS}) eights\b", r"\1 eighths"),
    (r"(?<=\d)\s?(?:\\\\?|\bslash\b)\s?(?=\d)", "/"),
    (r"\b(\d+)[ /](\d+)(?:ths?|rds?|nds?)\b", r"\1/\2"),
    (r"(?<=\d)\s?(?:-|&|\+|n|an|nd)\s?(?=(?:a half|1/2|a quarter|1/4)\b)", " and "),
    (r"\b(?:outta|outof|out ov|ov)\b", "of"),
    (r"\ba (?=hundred\b)", ""),
    (
        rf"(^|[,;.!] |\b(?:oh|ah|um|well|ok|maybe|wait|like|just|it'?s|is|be|at|to|say|said|get|got|that'?s|makes?|equals|so|or|no|than|now|because|cause|think) )"
        rf"(?:minus|negative) (?=\d|(?:{_NUMBERS})\b)",
        r"\1-",
    ),
)
# "the upper half of the values" is no number.
_HALF: Final = re.compile(
    r"(?<!\bupper )(?<!\blower )(?<!\bfirst )(?<!\bsecond )(?<!\bother )(?<!\btop )(?<!\bbottom )\bhalf\b"
)
# "3 below zero", "8 degrees under 0", "two left of zero", "six meters under water".
_BELOW_ZERO: Final = re.compile(
    r"(?<![\w/.-])(\d[\d./]*)(?: (?:degrees?|steps?))? (?:below|under|left of) 0\b"
    r"|(?<![\w/.-])(\d[\d./]*)(?: (?:meters?|metres?|m|feet|ft))? (?:under ?water|below (?:the )?(?:surface|water|sea level))\b"
)

# "3 of the 4 parts", "3 out of 4".
# Not "4 pieces of 3 feet".
_SO_MANY_OF: Final = re.compile(
    r"(?<![\d/.])(\d+)(?:(?: parts| pieces)(?! of \d+ (?!parts|pieces)[a-z]))? (?:out )?of (?:the )?(\d+)(?![\d/.])(?: ones?)?"
)
# "2 wholes and 1/3", "2 and 1/3".
_MIXED: Final = re.compile(r"(?<![/.\d])(\d+)(?: wholes?(?: things?)?,?(?: and)?(?: then)?| and)? (\d+/\d+)")
# Mixed numbers first, then fractions, decimals with point or comma; not inside words or longer fractions.
NUMBER: Final = re.compile(
    r"(?<![\w/.])-?(?:\d+ \d+\s?/\s?\d+|\d+\s?/\s?\d+|\d+(?:[.,]\d+)?|[.]\d+)(?![\d/])\s?(?:%|percent\b)?"
)
# "so it's more than 1" concludes a size, and not the number 1.
_MORE: Final = r"(?:it'?s |its |thats? )?(?:over|under|more|less|bigger|smaller|larger|greater|longer|shorter)\b"
# "the answer is obviously 4, take away 3 and split the 8 in two".
_ANSWER_IS: Final = re.compile(r"\banswer (?:is|was|be)(?: (?!of\b)\w+)? $")
# "i would put it at 5, …", "then you get 5.": a number that ends its clause is meant as the answer.
_STATES: Final = re.compile(r"\b(?:at|say|says|get|gets|got|be|is|equals|makes?) (?:about |around )?$")
# What stands behind these is the conclusion: "9/12 so 3/4", "= 3/4".
_SO: Final = re.compile(rf"(?:\b(?:so|therefore|then|i\.e\.)(?!\w)|\.\. ?ok(?:ay)?\b)(?! {_MORE})|=|->")
# Weaker marks of a conclusion, used if there is none of the above: "that makes 3/4".
_IS: Final = re.compile(r"\b(?:makes?|gives?|that'?s|is|are|get|got|leaves)\b|\.\.+|:")
# "it is 4/5, I have divided by 2": the second clause tells how.
_CLAUSE_ENDS: Final = re.compile(r"[,;.] (?=(?:i|you|we|he|she|they|it|the|by|with) )")
# "she has to be below zero. -4": a last sentence that is nothing but a number.
_LAST_WORD: Final = re.compile(rf"[.!;] ({NUMBER.pattern})\W*$")
# "…, i get 25 clicks", "i did 3 plus 4 so it is 7": a message that ends in its result.
_RESULT: Final = re.compile(
    rf"(?:\b(?:(?:i|we|you|it) (?:get|gets|got|say)|so(?: it'?s| it is| i say| there are)?|which (?:is|makes|gives|would be)|that makes|like|roughly"
    rf"|(?:that|it) (?:would|should|must|will) be|(?<!why )(?<!how )(?:that'?s|thats|that is))|(?<==)) ?(?:(?:about|only|just) )?({NUMBER.pattern})"
    r"(?: (?!(?:is|are|was|has|have|times|plus|minus|more|less|bigger|smaller|of|goes|fits?)\b)[a-z]+){0,3}\W*$"
)
# "one in every twenty" is a rate.
_RATE: Final = re.compile(r" (?:in|out of) every\b")
# "so you turn around twice": how often, and no value.
_HOW_OFTEN: Final = re.compile(r"\s?times\b(?! \d)")
# "its 8, 6 and 10 in the middle": the numbers behind the first belong to a clause of their own.
_EXPLAINED: Final = re.compile(rf"\s*,\s*(?:{NUMBER.pattern}(?:,? (?:and )?)?)+ ?(?:are|is|in|were|make) ")
# "3, 6 and then 9": numbers with nothing but commas between them.
_IN_A_ROW: Final = re.compile(r"[\s,;]*(?:and )?(?:then )?[\s,;]*")
# A number is no answer by itself if a calculation or a statement goes on: "3 times 4 …", "3 are shaded".
_GOES_ON: Final = re.compile(
    r"\s*(?:[-+*x×:÷<>=]|\b(?:and|plus|minus|less \d|take (?:away )?\d|times \d|divided?|shared|is|are|would|was|could|in|of|off|from|goes|go|fits?|out)\b"
    r"|,\s*\d[\d/]*\s*(?:,|so\b|and\b|then\b)|(?:\w+\s+)(?:is|are)\b)"
)


_OPERATIONS: Final = {"plus": "+", "minus": "-", "take away": "-", "times": "*", "x": "*", "divided by": "/"}
_CALCULATION: Final = re.compile(
    rf"{NUMBER.pattern}(?:\s?(?:[-+*×:÷/]|{'|'.join(_OPERATIONS)})\s?-?\d+(?:[.,/]\d+)?(?![\d/]))+"
)
_TOLD_CALCULATIONS: Final = (
    (re.compile(r"\bdivide (-?\d+) by (-?\d+)\b"), r"\1 / \2"),
    (re.compile(r"\bmultiply (-?\d+) (?:by|with|and) (-?\d+)\b"), r"\1 * \2"),
    (re.compile(r"\badd (-?\d+) (?:to|and) (-?\d+)\b"), r"\2 + \1"),
    (re.compile(r"\b(?:take|subtract) (-?\d+) (?:away )?from (-?\d+)\b"), r"\2 - \1"),
)


@dataclass(frozen=True, slots=True)
class SpokenNumber:
    """A number in a text from `spell_in_digits`, with its position."""

    start: int
    end: int
    text: str

    @property
    def value(self) -> Fraction | None:
        """The number itself, 25 of "25%"; None for a division by 0."""
        whole, _, part = self.text.replace("percent", "").strip(" %").replace(",", ".").rpartition(" ")
        try:
            return (Fraction(whole) if whole else 0) + Fraction(part.replace(" ", ""))
        except (ValueError, ZeroDivisionError):
            return None


@lru_cache(maxsize=128)
def spell_in_digits(text: str) -> str:
    """Return a text in lower case with its numbers in digits: "zero point three" is 0.3, "three and a quarter" 3 1/4."""
    text = re.sub(r"\s+", " ", correct_spelling(normalize_fractions(text).lower())).strip()
    text = re.sub(r"[a-z]+", lambda word: _slips().get(word[0], word[0]), text)
    for spelling, plainer in _PLAINER:
        text = re.sub(spelling, plainer, text)
    text = _POINT.sub(lambda m: f"{_digit(m[1])}.{''.join(str(_digit(each)) for each in m[2].split())} ", text)
    text = _HUNDREDS.sub(_hundreds, text)
    text = _TENS_AND_ONES.sub(lambda m: str(NUMBER_WORDS[m[1]] + NUMBER_WORDS[m[2]]), text)
    text = re.sub(rf"\b({_NUMBERS}|\d+) over ({_NUMBERS}|\d+)\b", lambda m: f"{_digit(m[1])}/{_digit(m[2])}", text)
    text = re.sub(r"\b(?:a|one) half\b|\bhalf an?\b", "1/2", text)
    text = _COUNTED.sub(lambda m: f"{_digit(m[1])}/{FRACTION_WORDS[m[2]]}", text)
    text = _HALF.sub("1/2", text)
    text = _PRONOUN_ONE.sub(r"\1 thing", text.replace("one another", "each other"))
    text = re.sub(rf"\b(?:{_NUMBERS})\b", lambda m: str(NUMBER_WORDS[m[0]]), text)
    text = _BELOW_ZERO.sub(lambda found: f"-{found[1] or found[2]}", text)
    text = re.sub(r"\btwice\b", "2 times", text)
    text = re.sub(r"\s?/\s?(?=\d)", "/", text)
    return _SO_MANY_OF.sub(r"\1/\2", _MIXED.sub(r"\1 \2", text)).strip()


@lru_cache(maxsize=1)
def _slips() -> Mapping[str, str]:
    """Return typing errors of number words: two letters swapped ("oen"), or one of five or more missing ("eigt")."""
    meant: dict[str, set[str]] = {}
    for name in (*NUMBER_WORDS, *FRACTION_WORDS):
        swapped = {name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(len(name) - 1)}
        short = {name[:at] + name[at + 1 :] for at in range(1, len(name))} if len(name) > 4 else set()
        for slip in swapped | short:
            meant.setdefault(slip, set()).add(name)
    known = {*NUMBER_WORDS, *FRACTION_WORDS, *_NO_SLIPS}
    return {slip: names.pop() for slip, names in meant.items() if len(names) == 1 and slip not in known}


def _digit(word: str) -> int:
    return 1 if word in ("a", "an") else int(word) if word.isdigit() else NUMBER_WORDS[word]


def _hundreds(found: re.Match[str]) -> str:
    rest = [_digit(each) for each in re.split(r"[ -]", found[2] or "") if each]
    return str(100 * _digit(found[1] or "1") + sum(rest))


def find_spoken_numbers(text: str) -> list[SpokenNumber]:
    """Return the numbers of a text from `spell_in_digits`, in order."""
    return [SpokenNumber(each.start(), each.end(), each[0].strip()) for each in NUMBER.finditer(text)]


def find_calculations(text: str) -> list[SpokenNumber]:
    """Return the calculations of a text from `spell_in_digits`, written with signs: "11 plus 4", "divide 3 by 4"."""
    told = [
        SpokenNumber(found.start(), found.end(), found.expand(signed))
        for spelling, signed in _TOLD_CALCULATIONS
        for found in spelling.finditer(text)
    ]
    written = [SpokenNumber(each.start(), each.end(), _with_signs(each[0])) for each in _CALCULATION.finditer(text)]
    return sorted([*told, *written], key=lambda each: each.start)


def is_calculation(text: str) -> bool:
    """Tell whether a text is nothing but a calculation, with or without its value: "11 + 4", "1 - 9 + 25 = 17"."""
    return (
        re.fullmatch(
            rf"(?:(?:so|its|it'?s|it is|thats|that'?s) )?{_CALCULATION.pattern}(?:\s?(?:=|is|makes)\s?{NUMBER.pattern})?\W*",
            text,
        )
        is not None
    )


def _with_signs(calculation: str) -> str:
    for word, sign in _OPERATIONS.items():
        calculation = re.sub(rf"\s*{word}\s*", f" {sign} ", calculation)
    return calculation.strip()


def named_number(said: str) -> str:
    """Return the number of a short reply without digits: "the sixth", "the whole thing"; empty for none."""
    if part := _BARE_PART.match(said):
        return f"1/{FRACTION_WORDS[part[1]]}"
    if re.fullmatch(r"(?:(?:the |a |1 )?whole(?: \w+)?|all of (?:it|them))\W*", said):
        return "1"
    if re.fullmatch(r"(?:nothing|none)(?: left)?\W*", said):
        return "0"
    return ""


def stated_result(said: str) -> str:
    """Return the number with which a text from `spell_in_digits` ends as its result: "…, i get 25 clicks"; empty for none."""
    found = _RESULT.search(said) or _RESULT.search(before_reason(said))
    return found[1].strip() if found else ""


def committed_number(
    said: str, *, begins: int, named: frozenset[str], corrects: bool, most_words: int
) -> tuple[SpokenNumber | None, bool]:
    """Return the number that a reply commits to, and whether that is sure; None for none.

    The number it begins with (by `begins` characters) if nothing goes on behind it; else its conclusion; else the only
    number that is not the question's (`named`). `corrects`: the text follows a correction such as "no wait". A number
    of the question, or one within a sentence of more than `most_words`, is not sure.
    """
    given = [each for each in find_spoken_numbers(said) if not DENIES.search(said[: each.start])]
    given = [each for each in given if not _HOW_OFTEN.match(said[each.end :])] or given
    given = [each for each in given if not _RATE.match(said[each.end :])] or given
    if not given or ("?" in said and re.search(r"\bor\b", said[given[0].end : given[-1].start])):
        return None, False
    if REASON.match(said[begins:]) and not _SO.search(said):
        return None, False  # "Because 9 make a whole": a reason without an answer.
    if (result := _RESULT.search(said)) and given[-1].start == result.start(1):
        return given[-1], True
    if stated := next((each for each in given if _ANSWER_IS.search(said[: each.start])), None):
        return stated, True
    first = given[0] if given[0].start <= begins + 1 else None
    alone = first is not None and (not _GOES_ON.match(said[first.end :]) or bool(_EXPLAINED.match(said[first.end :])))
    concluded = _concluded(said, given)
    if corrects and concluded is None and not REASON.search(said):
        concluded = given[-1]  # "No wait, that is a quarter. 8".
    if first is not None and alone and first.text not in named:
        so = _SO.search(said[first.end :])
        if not concluded or so is None or REASON.search(said[first.end :]):
            return first, True
        # "two minuses make a plus, so 21": the first number belongs to the way there.
        return concluded, concluded == first or bool(re.search("[a-z]", said[first.end :][: so.start()]))
    is_short = len(said.split()) <= most_words and "?" not in said
    if concluded is not None:
        return concluded, is_short or concluded.text not in named
    if first is not None and alone:
        return first, len(given) == 1 and is_short
    # "she is at -6 i think, cause 15 - 9": the numbers of a reason are on the way.
    before = [each for each in given if each.start < len(before_reason(said))]
    if len(before) == 1 and before_reason(said) != said and "?" not in said:
        return before[0], True  # "it loses four blocks, because …", though the question has a 4.
    fresh = [each for each in before or given if each.text not in named]
    if first is not None and first in fresh:
        return first, True
    if len({each.value for each in fresh}) != 1:
        return None, False
    # "i would put it at 5, in the middle between 2 and 8".
    is_stated = _STATES.search(said[: fresh[0].start]) and re.match(r"\s*(?:[,.!;]|$)", said[fresh[0].end :])
    return fresh[-1], is_short or ("?" not in said and bool(is_stated))


def _concluded(said: str, given: Sequence[SpokenNumber]) -> SpokenNumber | None:
    """Return the number that a reply concludes with: the last behind "so", else behind "is", else the last of a row."""
    if any(each.start < len(before_reason(said)) for each in given):
        said = before_reason(said)
    if (last := _LAST_WORD.search(said)) and last.start(1) == given[-1].start:
        return given[-1]
    for marks in (_SO, _IS):
        *_, mark = [None, *marks.finditer(said)]
        if mark and (after := [each for each in given if mark.end() <= each.start < len(said)]):
            # "It is 4/5, I have divided by 2": what follows in another clause tells how.
            ends = _CLAUSE_ENDS.search(said, after[0].end)
            return [each for each in after if ends is None or each.start < ends.start()][-1]
    given = [each for each in given if each.end <= len(said)]
    between = [said[one.end : other.start] for one, other in pairwise(given)]
    return given[-1] if between and all(map(_IN_A_ROW.fullmatch, between)) else None
