"""What a contract says, each with the sentence that says it. Nothing is worded anew: every text is a part of the contract."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from conversations.contracts.sentences import ClauseHeading, TextSpan, clause_headings, split_sentences

type FindingKind = Literal["clause", "obligation", "date", "period", "party"]

KINDS: Final[tuple[FindingKind, ...]] = ("party", "clause", "obligation", "date", "period")
QUOTE_CHARACTERS: Final = 600
WHO_CHARACTERS: Final = 80

_MODAL: Final = re.compile(
    r"\b(?:shall(?:\s+not)?|must(?:\s+not)?|may\s+not|agrees?(?:\s+not)?\s+to|undertakes?(?:\s+not)?\s+to|covenants?(?:\s+not)?\s+to"
    r"|(?:is|are)\s+(?:required|obliged|obligated|responsible)\s+(?:to|for)|(?:has|have)\s+to)\b",
    re.IGNORECASE,
)
_MONTHS: Final = r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\.?"
_DATE: Final = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?{_MONTHS},?\s+\d{{4}}\b|\b{_MONTHS}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b"
)
_NUMBER: Final = (
    r"(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty-five|sixty|ninety)"
    r"(?:\s*\(\d{1,4}\))?|\d{1,4})"
)
_PERIOD: Final = re.compile(
    rf"\b{_NUMBER}[\s-]+(?:(?:business|working|calendar|full|consecutive)[\s-]+)?(?:day|week|month|year|hour)s?\b[’']?",
    re.IGNORECASE,
)
# (the “Supplier”), (hereinafter "Customer"), (“Lessee”)
_DEFINED: Final = re.compile(
    r"\(\s*(?:(?:hereinafter|hereafter|together)\s*(?:referred\s+to\s+as|called)?,?\s*)?(?:collectively\s*,?\s*)?(?:the\s+)?[“\"'‘](?P<name>[A-Z][^”\"'’()\n]{1,40})[”\"'’]\s*\)"
)
_BETWEEN: Final = re.compile(r"\b(?:between|by and between|among)\b", re.IGNORECASE)
_CLAUSE_MARK: Final = re.compile(
    r"^(?:(?:section|article|clause|§)\s*)?(?:\d{1,2}(?:\.\d{1,2})*[.):]?|\([a-z0-9]{1,4}\)|[-•*])\s+", re.IGNORECASE
)
# Where the one who owes begins: after a condition or a title, "If …, the Supplier shall".
_BEFORE_WHO: Final = re.compile(r"^.*(?:[,:;.]|\bthat|\band|\bor|\bbut)\s+", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that the text says."""

    kind: FindingKind
    span: TextSpan
    """The sentence or the line that says it."""
    value: TextSpan
    """The part that it is about: a date, a period, a name, who owes, a clause's title."""
    clause: str
    """The number of the clause it stands in; empty before the first one."""


def find_terms(text: str, *, kinds: Sequence[FindingKind] = KINDS) -> Iterator[Finding]:
    """Yield what a contract's text says of these kinds, in its order."""
    headings = list(clause_headings(text))
    starts = [heading.span.start for heading in headings]

    def finding(kind: FindingKind, span: TextSpan, value: TextSpan) -> Finding:
        before = bisect_right(starts, span.start)
        number = headings[before - 1].number if before else ""
        return Finding(kind=kind, span=span, value=value, clause=number)

    found = [finding("clause", heading.span, _title_span(text, heading)) for heading in headings]
    for span in split_sentences(text):
        sentence = text[span.start : span.end]
        found += [finding("party", span, value) for value in _parties(sentence, span)]
        if modal := _MODAL.search(sentence):
            found.append(finding("obligation", span, _who(sentence[: modal.start()], span)))
        for kind, pattern in (("date", _DATE), ("period", _PERIOD)):
            values = (
                TextSpan(start=span.start + each.start(), end=span.start + each.end())
                for each in pattern.finditer(sentence)
            )
            found += [finding("date" if kind == "date" else "period", span, value) for value in values]
    yield from sorted(
        (each for each in found if each.kind in kinds),
        key=lambda each: (each.span.start, each.value.start, KINDS.index(each.kind)),
    )


def _title_span(text: str, heading: ClauseHeading) -> TextSpan:
    line = text[heading.span.start : heading.span.end]
    title = heading.title.removesuffix("…")
    start = (
        heading.span.start + line.rindex(title) if line.count(title) == 1 else heading.span.start + line.index(title)
    )
    return TextSpan(start=start, end=start + len(title))


def _parties(sentence: str, span: TextSpan) -> Iterator[TextSpan]:
    """Yield the names that the sentence defines for the parties, if it says between whom the contract is."""
    if _BETWEEN.search(sentence):
        for found in _DEFINED.finditer(sentence):
            yield TextSpan(start=span.start + found.start("name"), end=span.start + found.end("name"))


def _who(before: str, span: TextSpan) -> TextSpan:
    """Return the words before "shall" that say who owes; an empty part if they do not."""
    start = 0
    for pattern in (_CLAUSE_MARK, _BEFORE_WHO):
        if found := pattern.match(before[start:]):
            start += found.end()
    words = before[start:].strip()
    if not words or len(words) > WHO_CHARACTERS:
        return TextSpan(start=span.start, end=span.start)
    left = start + len(before[start:]) - len(before[start:].lstrip())
    return TextSpan(start=span.start + left, end=span.start + left + len(words))
