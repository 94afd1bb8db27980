"""Finds the conversion or comparison that a message asks for: "simplify 6/8", "7/4 as a mixed number", "2/3 of 12"."""

import re
from collections.abc import Iterator
from typing import Final

from tutoring.grading.conversions import FRACTION, PERCENT, WRITTEN, Conversion, ConversionKind, NumberForm, value_of
from tutoring.grading.language.vocabulary import FRACTION_WORDS
from tutoring.understanding.parsing.spoken_numbers import spell_in_digits

_NUMBER = rf"(?<![\w./-])({WRITTEN})(?![\d/]|\.\d)"
_FORMS: Final[tuple[tuple[NumberForm, str], ...]] = (
    ("mixed", r"mixed (?:number|fraction|numeral)s?"),
    ("improper", r"(?:improper|top[- ]heavy) (?:number|fraction)s?"),
    ("simplest", r"(?:the )?(?:simplest|lowest|simple) (?:possible )?(?:form|terms?|fraction)"),
    ("decimal", r"decimals?(?: number)?"),
    ("percent", r"(?:percent(?:age)?s?|%)"),
    ("fraction", r"(?:proper |normal |common )?fractions?"),
)
# "7/4 as a mixed number", "turn 7/4 into a mixed number", "the simplest form of 6/8", "a decimal for 3/4".
_REWRITTEN: Final = tuple(
    (form, pattern)
    for form, words in _FORMS
    for pattern in (
        re.compile(rf"{_NUMBER}(?: be)?(?: written| turned| changed| converted| put)? (?:as|in|into|to) (?:an? |its )?{words}(?!\w)"),
        re.compile(rf"(?<!\w){words} (?:of|for|from) {_NUMBER}"),
    )
)  # fmt: skip
# "simplify 6/8", "can 6/8 be simplified", "reduce 6/8", "make 6/8 simpler".
_SIMPLIFIED: Final = (
    re.compile(rf"\b(?:simplify|simplifying|reduce|reducing|cancel(?: down)?)(?: the)?(?: fraction| number)?:? {_NUMBER}"),
    re.compile(rf"{_NUMBER}(?: be)? (?:simplified|reduced|simpler)\b"),
)  # fmt: skip
_BLANK = r"(?:\?+|x|what|_+|□|…|\.{2,})"
# "3/4 = ?/12", "?/12 = 3/4", "3/4 is the same as ?/12".
_EQUALS = r"\s?(?:=|is(?: the same as| equal to)?|equals)\s?"
_MISSING_AFTER = re.compile(
    rf"(?<![\w./-])({FRACTION}){_EQUALS}({_BLANK}\s?(?:/|over)\s?\d{{1,4}}|\d{{1,4}}\s?(?:/|over)\s?{_BLANK})(?![\w/])"
)
_MISSING_BEFORE = re.compile(
    rf"(?<![\w./-])({_BLANK}\s?/\s?\d{{1,4}}|\d{{1,4}}\s?/\s?{_BLANK}){_EQUALS}({FRACTION})(?![\d/])"
)
# "3/4 with 12 at the bottom", "3/4 with under number 12", "write 3/4 with denominator 12", "3/4 over 12".
_BOTTOM = re.compile(
    rf"(?<![\w./-])({FRACTION}) with (?:a |the )?(?:(\d{{1,4}}) (?:at|on|as|in) (?:the )?(?:bottom|denominator)"
    r"|(?:(?:bottom|under|lower|down)(?: number)?|denominator)(?: of| is)? (\d{1,4}))"
)  # fmt: skip
_PARTS: Final = "|".join(
    sorted((each for each in FRACTION_WORDS if each.endswith(("s", "halves"))), key=len, reverse=True)
)
# "how many twelfths is 3/4", "3/4 in twelfths".
_SO_MANY = re.compile(rf"\bhow many ({_PARTS}) (?:are|is|make|equal|in|are in|are there in) {_NUMBER}")
_IN_PARTS = re.compile(rf"(?<![\w./-])({FRACTION}) (?:as|in|into|to) ({_PARTS})\b")
_SHARE = re.compile(rf"(?<![\w./-])(?<!\bof )({FRACTION}|{PERCENT}) of (?:the )?({WRITTEN})(?![\d/]|\.\d| of \d)")
_ONE_OF = re.compile(
    r"\b(?:an? )?(half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?= of (?:the )?\d)"
)
_SIZES = "bigger|larger|more|greater|smaller|less|fewer|longer|shorter|higher|lower|biggest|largest|greatest|smallest"
# "which is bigger, 1/4 or 1/8", "is 1/4 more than 1/8", "are 2/4 and 1/2 the same", "is 4/8 one half"; not "if I divide
# by 2 and then by 3, is that less good". 24 characters, chosen by hand.
_COMPARES = re.compile(
    rf"\b(?:which|what)\b.{{0,24}}\b(?:{_SIZES})\b|\d or \d.{{1,12}}\b(?:{_SIZES})\b|\b(?:check|whether|if)\b.{{0,24}}\d\s?=\s?\d|\bto the (?:left|right)\b.{{0,24}} of \d|\b(?:is|are)\b(?=.*\d).{{1,30}}\b(?:{_SIZES}|the same|equal|equivalent)\b"
    rf"|^(?:so |and |but |hey |ok )?is {_NUMBER} (?:really |also |still |just )?{_NUMBER}\W*$"
    r"|\bcompare\b.{0,24}\d|\d\s*(?:vs\.?|versus)\s*\d|\d\s*[<>]\s*\d.*\?|\bis \d[\d/ .%]*[<>=]\s*\d",
)
# "is minus 3 bigger than minus 1" was answered with "3 is bigger than 1".
_NEGATIVE = re.compile(r"(?<![\d)] )\b(?:minus|negative) (?=\d)")
# "what is", "can you please": what a wish may begin with, up to twelve words.
_LEAD = (
    r"(?:(?:what|whats|what's|wat|how|much|many|do|does|can|could|would|will|you|i|we|u|please|pls|plz|is|are|tell|show|give|help|me|with"
    r"|calculate|compute|solve|work|out|find|write|turn|change|convert|make|put|get|ok|okay|so|hey|hi|the|to|also|and|but|now|a|an|that|want"
    r"|need|know|see|should|which|number|fraction|answer)\W+){0,12}"
)
_TAIL = r"(?:\W+(?:please|pls|plz|then|thanks|though|(?:in|of) (?:math|maths))|\W)*"


def find_requested_conversion(text: str) -> str:
    """Return the conversion that a text asks for, see `grading.conversions`; empty for none."""
    return str(next(_found(_readable(text)), (None, ""))[1])


def is_only_conversion(text: str) -> bool:
    """Tell whether a message is nothing but such a request, without "please" and the like."""
    said = _readable(text)
    span, wanted = next(_found(said), (None, None))
    if wanted is None or span is None:
        return False
    before, after = said[: span[0]], said[span[1] :]
    if wanted.kind == "comparison":
        return "?" in text or re.match(r"(?:so |and |hey |ok )?(?:is|are|which|what|compare|check)\b", said) is not None
    return bool(re.fullmatch(_LEAD, before) and re.fullmatch(rf"{_TAIL}|{_TAIL}[a-z]+{_TAIL}", after))


def _readable(text: str) -> str:
    """Return a text in lower case with its numbers in digits: "half of 12" is "1/2 of 12"."""
    plain = _ONE_OF.sub(r"one \1", re.sub(r"\s+", " ", text.lower().replace("’", "'").strip()))
    plain = _NEGATIVE.sub("-", plain)
    return (
        spell_in_digits(plain)
        if re.search(r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|an?|half)\b", plain)
        else plain
    )


def _found(said: str) -> Iterator[tuple[tuple[int, int], Conversion]]:
    """Yield the conversions in a readable text, the surest first, each with its place."""
    yield from _missing(said)
    for form, pattern in _REWRITTEN:
        if (found := pattern.search(said)) and _fits(form, found[1]):
            yield found.span(), Conversion(kind=_kind(form, found[1]), numbers=(_tidy(found[1]),))
    for pattern in _SIMPLIFIED:
        if (found := pattern.search(said)) and "/" in found[1]:
            yield found.span(), Conversion(kind="simplest", numbers=(_tidy(found[1]),))
    if found := _SHARE.search(said):
        yield found.span(), Conversion(kind="share", numbers=(_tidy(found[1]), _tidy(found[2])))
    numbers = list(re.finditer(_NUMBER, said))
    if len(numbers) == 2 and _COMPARES.search(said):
        span = numbers[0].start(), numbers[1].end()
        yield span, Conversion(kind="comparison", numbers=(_tidy(numbers[0][1]), _tidy(numbers[1][1])))


def _missing(said: str) -> Iterator[tuple[tuple[int, int], Conversion]]:
    found: list[tuple[tuple[int, int], str, str]] = []
    if match := _MISSING_AFTER.search(said):
        found.append((match.span(), match[1], _blanked(match[2])))
    elif match := _MISSING_BEFORE.search(said):
        found.append((match.span(), match[2], _blanked(match[1])))
    elif match := _BOTTOM.search(said):
        found.append((match.span(), match[1], f"?/{match[2] or match[3]}"))
    elif (match := _SO_MANY.search(said)) and "/" in match[2]:
        found.append((match.span(), match[2], f"?/{_size(match[1])}"))
    elif match := _IN_PARTS.search(said):
        found.append((match.span(), match[1], f"?/{_size(match[2])}"))
    for span, known, other in found:
        yield span, Conversion(kind="missing", numbers=(_tidy(known), other))


def _fits(form: NumberForm, number: str) -> bool:
    """Tell whether a number is in another form than the one asked for."""
    if value_of(number) is None:
        return True
    match form:
        case "mixed" | "improper" | "simplest":
            return "/" in number
        case "fraction":
            return " " in number or "/" not in number
        case "decimal":
            return "." not in number or "%" in number
        case "percent":
            return "%" not in number and "percent" not in number


def _kind(form: NumberForm, number: str) -> ConversionKind:
    return "improper" if form == "fraction" and "/" in number else form


def _blanked(text: str) -> str:
    return re.sub(rf"\s?{_BLANK}\s?", "?", text).replace("over", "/").replace(" ", "")


def _size(word: str) -> str:
    return str(FRACTION_WORDS[word])


def _tidy(number: str) -> str:
    return re.sub(r"\s?(?:%|percent)", "%", re.sub(r"\s?/\s?", "/", number))
