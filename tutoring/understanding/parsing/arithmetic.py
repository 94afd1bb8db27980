"""Describes the numeric claims of a sentence: whether they hold, and how their numbers may have been made.

"1/4 + 2/4 is 3/8" is false; its numerator is the sum of the numerators, its denominator the sum of the denominators.
Described in these words, claims that share a malrule are similar whatever their numbers are. The grader decides truth.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from tutoring.grading import Unparsable, parse
from tutoring.grading.algebra.equality import are_equal
from tutoring.grading.parsing import text_claims
from tutoring.understanding.parsing.written_numbers import (
    FRACTION,
    NUMBER,
    PART_NAMES,
    SIZE_OF,
    WrittenNumber,
    numbers_to_digits,
    parse_number,
)

# A sentence makes one or two; more would be a pasted table. Chosen by hand.
CLAIMS_READ = 4
"""Claims of a sentence that are described."""

# "is", "=", "makes", "turns into", and the filler behind them: "is the same as", "is just".
_IS = r"\s*(?:=|(?:is|are|was|makes?|gives?|equals?|becomes?|turns? into|simplified is)\b)\s*(?:the same as|equal to|just|only)?\s*"
# "bigger than", "more pieces than", ">", "beats": one word may stand in between.
_MORE = r"(?:bigger|larger|greater|more|higher|longer|huger?)(?: \w+)? than|>|beats"
_LESS = r"(?:smaller|less|fewer|lower|shorter)(?: \w+)? than|<"
_DENIED = r"(?P<not>isn'?t|is not|aren'?t|are not|not)?"
# "1/4 + 2/4 = 3/8", "3/4 take away 1/2 is 2/2". Not behind "is" or "=", where the sum is the right side.
_SUM = re.compile(
    rf"(?<!is )(?<!= )(?P<x>{FRACTION})\s*(?P<sign>\+|-|plus\b|minus\b|and\b|take away\b)\s*(?P<y>{FRACTION}){_IS}"
    rf"(?P<z>{NUMBER})(?:\s*(?:\+|plus\b)\s*(?P<and>{NUMBER}))?"
)
# "1/4 of 20 is 16".
_SHARE = re.compile(rf"(?P<x>\d+/\d+) of (?P<y>\d{{1,4}})(?: \w+)?{_IS}(?P<z>{NUMBER})")
# "1/8 is bigger than 1/4", "1/3 isnt less than 1/2".
_ORDER = re.compile(
    rf"(?P<x>{NUMBER})\s*(?:is|are)?\s*{_DENIED}\s*(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\s*(?P<y>{NUMBER})"
)
# "2/4 is 3/6", "1/2 is not the same as 2/4", "2/3 and 4/6 are equal". Not "1/2 of …": that is a share.
_ALIKE = re.compile(
    rf"(?<!of )(?P<x>{FRACTION})(?:(?:{_IS}|\s*(?:is|are)?\s*){_DENIED}(?:{_IS}|\s*(?:the same as|equal to)?\s+)|\s+and\s+)"
    rf"(?P<y>{FRACTION})(?! of\b)(?P<same>\s+are (?:both )?(?:the )?(?:same|equal))?"
)
# "eighths" and "quarters" without a count name sizes: they become "8-parts", "4-parts".
_PLURAL = re.compile(rf"\b({'|'.join(PART_NAMES)}|halve)s\b")
# "eighths are bigger than quarters", written as "8-parts are bigger than 4-parts" by then.
_SIZES_ORDERED = re.compile(
    rf"\b(?P<x>\d+)(?:-| )parts? are {_DENIED} ?(?:(?P<more>{_MORE})|(?P<less>{_LESS})) (?P<y>\d+)-parts?\b"
)
# "1/4 of it is 3, so the whole thing is 12": 16 characters between the two halves, chosen by hand.
_WHOLE = re.compile(
    r"(?P<x>1/\d+) (?:of it )?is (?P<y>\d{1,4})\b.{0,16}\b(?:whole|all)(?: of it| thing)? is (?P<z>\d{1,4}(?:\.\d)?)(?![\d/])"
)
# "2 dark and 3 light, so 2/5". 40 characters keep the numbers in one statement; chosen by hand.
_COUNTED = re.compile(
    rf"(?<![\d/])(?P<x>\d{{1,3}})(?![\d/])(?P<between>[^\d/]{{1,40}}?)(?P<y>\d{{1,3}})(?![\d/])[^\d/]{{1,40}}?(?P<z>{FRACTION})"
)
# "3 of 5 … 5/3": the second count is the whole, not the rest.
_OF = re.compile(r"\b(?:of|in)\b")
# "with 3 cuts you get 3 pieces", or the parts first.
_CUTS = re.compile(
    r"\b(?P<x>\d{1,2})(?: \w+)? (?:cuts?|lines?|marks?|ticks?|times)\b[^\d]{0,40}?\b(?P<y>\d{1,2})(?: |-)(?:parts?|pieces?|slices?)\b"
    r"|\b(?P<v>\d{1,2})(?: |-)(?:parts?|pieces?|slices?)\b[^\d]{0,40}?\b(?P<u>\d{1,2})(?: \w+)? (?:cuts?|lines?|marks?|ticks?|times)\b"
)
# Words for a common denominator: "for 4 and 6 the smallest shared is 24".
_SHARED = re.compile(r"\b(?:common|smallest|lowest|least|shared|both|new|denominators?|bottoms?|fits?|for|-parts)\b")
# Words for evening out: "she has 8, he has 4, so she gives 4".
_MOVED = re.compile(r"\b(?:gives?|gave|pass(?:es)?|moves?|moved|hands?|over|pour|poured|even|difference)\b")
# Words for sharing: "12 split between 3 kids is 36 each".
_DEALT = re.compile(r"\b(?:shared?|sharing|split|each|kids|people|children|for|divided?|between|among)\b")
# Two fractions within 50 characters; only with a word of _REMAINS. Distance chosen by hand.
_REST = re.compile(rf"(?P<x>{FRACTION})[^/]{{3,50}}?(?P<y>{FRACTION})")
# Words for what is left: "3/8 is gone, so 3/8 is left".
_REMAINS = re.compile(r"\b(?:left|remains?|still|rest|remaining|over|other part)\b")
# Three whole numbers near each other; what they mean is decided by the word lists above. Distances chosen by hand.
_THREE = re.compile(
    r"(?<![\d/])(\d{1,3})(?:-parts)?[^\d/]{1,25}?(\d{1,3})(?:-parts)?(?![\d/])[^\d/]{0,40}?(\d{1,4})(?![\d/])"
)
# Descriptions of false and of true claims begin with these.
_UNTRUE = ("untrue", "nothing below", "as many parts", "for both: product", "for both: sum")
_TRUE = ("true", "one part more", "for both: least")
# Part of a longer calculation is no claim: "1/3 + 1/6 = 1/2" inside "1/2 + 1/3 + 1/6 = 1/2".
_GOES_ON_BEFORE = re.compile(r"[\d)]\s*[-+*/^]\s*$")
_GOES_ON = re.compile(r"\s*(?:[*/^]|[-+]\s*\d)")
# "1 and 1/2" is one mixed number, no comparison of two.
_JOINED = re.compile(r"\d\s+and\s+\d+/")


def describe_claims(sentence: str) -> str:
    """Return a plain sentence with descriptions of its numeric claims appended; unchanged without claims."""
    found = claim_descriptions(sentence)
    return f"{sentence} ({'; '.join(found)})" if found else sentence


def claim_descriptions(sentence: str) -> list[str]:
    """Return descriptions of a plain sentence's numeric claims."""
    in_parts = _PLURAL.sub(lambda part: f"{SIZE_OF[part[1]]}-parts", numbers_to_digits(sentence))
    return list(dict.fromkeys(_describe(in_parts)))[:CLAIMS_READ]


def claims_hold(sentence: str) -> bool | None:
    """Tell whether a plain sentence's numeric claims hold; None if none could be checked."""
    told = [
        text_claims.holds(claim.node)
        for claim in text_claims.claims_in(sentence)
        if text_claims.is_calculation(claim.node)
    ]
    found = claim_descriptions(sentence)
    if False in told or any(each.startswith(_UNTRUE) for each in found):
        return False
    # "I did 18 - 6 = 12" is true, but may be the wrong method; only a bare equation counts as right.
    is_bare = True in told and not re.search(r"[^\W\d_]{2}", sentence)
    return True if is_bare or any(each.startswith(_TRUE) for each in found) else None


def _same(left: str, right: str) -> bool:
    """Tell whether two numbers or calculations are equal. Raises Unparsable for a denominator of 0."""
    return are_equal(parse(left), parse(right))


def _describe(text: str) -> Iterator[str]:
    """Yield descriptions of the claims of a text in digits; text matched by one kind is not matched again."""
    for pattern, describe in _CLAIMS:
        for match in pattern.finditer(text):
            if _GOES_ON_BEFORE.search(text, 0, match.start()) or _GOES_ON.match(text, match.end()):
                continue
            try:
                yield from filter(None, [describe(match)])
            except (ZeroDivisionError, Unparsable):
                yield "nothing below"
        text = pattern.sub(" ", text)


def _sum(match: re.Match[str]) -> str:
    x, y, z = map(parse_number, match.group("x", "y", "z"))
    adds = match["sign"] in ("+", "plus", "and")
    last = parse_number(match["and"]) if match["and"] else None
    asked = f"{_written(match['x'])} {'+' if adds else '-'} {_written(match['y'])}"
    if _same(asked, _written(match["z"]) + (f" + {_written(match['and'])}" if last else "")):
        return "true sum" if adds else "true difference"
    kind = "untrue sum" if adds else "untrue difference"
    if last:
        kept = ("kept" if old.top == new.top else "changed" for old, new in ((x, z), (y, last)))
        return f"{kind}: tops {' and '.join(kept)}, bottoms {_from(x.bottom, y.bottom, z.bottom)}"
    return f"{kind}: top {_from(x.top, y.top, z.top)}, bottom {_from(x.bottom, y.bottom, z.bottom)}"


def _written(number: str) -> str:
    """Return a number that NUMBER matched in brackets, as one operand."""
    return f"({' '.join(number.replace(' and ', ' ').split())})"


def _sizes_ordered(match: re.Match[str]) -> str:
    x, y = int(match["x"]), int(match["y"])
    more = bool(match["more"]) != bool(match["not"])
    return "true order" if (x < y) == more else "untrue order: same top, bigger bottom, smaller gap"


def _whole(match: re.Match[str]) -> str:
    x, y, z = map(_written, match.group("x", "y", "z"))
    return "true whole" if _same(f"{x} * {z}", y) else "untrue whole"


def _counted(match: re.Match[str]) -> str:
    """Return how the fraction in "2 dark and 3 light, so 2/5" uses the counts."""
    x, y, z = int(match["x"]), int(match["y"]), parse_number(match["z"])
    if _OF.search(match["between"]):
        return "counted of" + (": upside down" if (z.top, z.bottom) == (y, x) else "")
    if z.bottom == x + y and z.top in (x, y):
        return "true count of all"
    return "untrue count: part beside part" if (z.top, z.bottom) in ((x, y), (y, x)) else ""


def _cuts(match: re.Match[str]) -> str:
    cuts, parts = int(match["x"] or match["u"]), int(match["y"] or match["v"])
    return "as many parts as cuts" if cuts == parts else "one part more than cuts" if parts == cuts + 1 else ""


def _three(match: re.Match[str]) -> str:
    """Return how the last of three whole numbers was made: a common multiple, a share, or an amount moved."""
    x, y, z = int(match[1]), int(match[2]), int(match[3])
    if x == y or min(x, y) < 2:
        return ""
    if _MOVED.search(match.string):
        gap = abs(x - y)
        return "true move: half" if 2 * z == gap else "untrue move: whole difference" if z == gap else ""
    ways: dict[str, int] = {}
    if _SHARED.search(match.string):
        common = {"least common": math.lcm(x, y), "product, not least": x * y, "sum": x + y, "the bigger": max(x, y)}
        ways = {f"for both: {way}": value for way, value in common.items()}
    if _DEALT.search(match.string) and x > y:
        ways |= {"untrue share: bottom taken away": x - y, "untrue share: multiplied": x * y}
        if x == y * z:
            return "true share"
    return next((way for way, value in ways.items() if value == z), "")


def _rest(match: re.Match[str]) -> str:
    if not _REMAINS.search(match.string):
        return ""
    one, other = map(_written, match.group("x", "y"))
    return "true rest" if _same(f"{one} + {other}", "1") else "untrue rest: the same" if _same(one, other) else ""


def _share(match: re.Match[str]) -> str:
    x, y, z = map(parse_number, match.group("x", "y", "z"))
    if _same(f"{_written(match['x'])} * {match['y']}", _written(match["z"])):
        return "true share"
    made: Mapping[str, Fraction] = {
        "divided by the bottom alone": y.value / x.bottom,
        "divided by the top": y.value / x.top,
        "bottom taken away": y.value - x.bottom,
        "multiplied": y.value * x.bottom,
        "top times bottom": Fraction(x.top * x.bottom),
        "remainder dropped": Fraction(math.floor(x.value * y.value)),
    }
    ways = [way for way, value in made.items() if value == z.value]
    return "untrue share: " + (" or ".join(ways) or "otherwise")


def _order(match: re.Match[str]) -> str:
    x, y = map(parse_number, match.group("x", "y"))
    one, other = map(_written, match.group("x", "y"))
    if bool(match["less"]) != bool(match["not"]):
        x, y, one, other = y, x, other, one
    if x.bottom == y.bottom == 1:
        return ""
    if text_claims.holds(parse(f"{one} {'≥' if match['not'] else '>'} {other}")):
        return "true order"
    if _same(one, other):
        return "untrue order: equals"
    gap = _compared(y.bottom - y.top, x.bottom - x.top, "gap")
    return f"untrue order: {_compared(x.top, y.top, 'top')}, {_compared(x.bottom, y.bottom, 'bottom')}, {gap}"


def _alike(match: re.Match[str]) -> str:
    x, y = map(parse_number, match.group("x", "y"))
    if _JOINED.search(match.group()) and not match["same"]:
        return ""
    alike = _same(_written(match["x"]), _written(match["y"]))
    if alike != bool(match["not"]):
        return "true name" if alike else "true difference of names"
    if alike:
        return "untrue: equals called different"
    return "untrue name: " + _renamed(x, y)


def _renamed(x: WrittenNumber, y: WrittenNumber) -> str:
    if x.whole and not y.whole:
        if y.top == int(f"{x.whole}{x.top}"):
            return "digits side by side"
        return "whole added to top" if y.top == x.whole + x.top else "of a mixed number"
    ways: tuple[tuple[str, bool], ...] = (
        ("wholes stay", bool(x.whole) and x.whole == y.whole),
        ("ten exchanged", x.whole == y.whole + 1 and y.top == x.top + 10),
        ("upside down", (x.top, x.bottom) == (y.bottom, y.top)),
        ("top stays", x.top == y.top),
        ("bottom stays", x.bottom == y.bottom),
        ("same added to both", y.top - x.top == y.bottom - x.bottom > 0),
        ("same taken from both", x.top - y.top == x.bottom - y.bottom > 0),
        ("one part missing each", x.bottom - x.top == y.bottom - y.top),
        ("digit crossed out", x.top >= 10 > y.top and {*str(y.top)} < {*str(x.top)}),
    )
    return " and ".join(way for way, holds in ways if holds) or "otherwise"


def _from(x: int, y: int, z: int) -> str:
    """Return how one number may have been made from two others."""
    ways: tuple[tuple[str, int], ...] = (
        ("kept", x if x == y else -1),
        ("added", x + y),
        ("subtracted", x - y),
        ("subtracted backwards", y - x),
        ("least common", math.lcm(x, y)),
        ("the bigger", max(x, y)),
    )
    return next((way for way, value in ways if value == z), "otherwise")


def _compared(x: int, y: int, name: str) -> str:
    return f"same {name}" if x == y else f"bigger {name}" if x > y else f"smaller {name}"


# The most specific first: a matched claim is cut out, so that "1/4 of 20 is 16" is not also an order.
_CLAIMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_SUM, _sum),
    (_SHARE, _share),
    (_WHOLE, _whole),
    (_ORDER, _order),
    (_SIZES_ORDERED, _sizes_ordered),
    (_CUTS, _cuts),
    (_COUNTED, _counted),
    (_ALIKE, _alike),
    (_THREE, _three),
    (_REST, _rest),
)
