"""Splits a message into clauses: the spans that may each hold a request."""

import re
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 2_000
"""Characters of a message that are read."""
LONGEST_CLAUSE: Final = 300
_SENTENCE_END: Final = re.compile(r"(?<![ap]\.m)(?<!\b[ap])[.!?;\n]+(?=\s|$)|[\n;]", re.IGNORECASE)
_START: Final = (
    r"(?:please|(?:can|could|will|would) (?:you|u|we)|remind|(?:ping|nudge|wake|nag) me|add|put|create|make|set|schedule|plan|book|cancel|move|"
    r"reschedule|delete|remove|log|track|remember(?! (?:it|that|this)\s*(?:[,.!]|$|and\b|please))|keep in mind(?!\s*(?:[,.!]|$))|forget|mark|tick|check|show|list|tell me|find|suggest|"
    r"what|when|which|where|how|am i|do i|did i|is there|are there|undo|also|don'?t (?:forget(?!\s*(?:[,.!]|$))|let)|rate|let's|"
    r"i(?:'ve|'m|'d|'ll| have| had| need| ate| am| got| finished| want| must| should| just| also| did| can| play)|"
    r"we(?:'ve|'re| have| are)|there(?:'s| is)|my \w+(?: \w+){0,3} (?:is|are|was)\b)"
)
_JOINT: Final = re.compile(
    r"(?:\s*,\s*(?:(?:and|then|but|also|plus|so)\s+)*|\s+(?:and|then|but|plus|so)\s+(?:(?:then|also|please)\s+)*)"
    rf"(?={_START}\b)",
    re.IGNORECASE,
)
_BEGINNING: Final = re.compile(
    r"(?:(?:please|pls|plz|ok(?:ay)?|hey|hi|hello|so|well|and|also|then|now|oh|btw|by the way|actually|just|alright|"
    r"great|thanks|thank you|cool|but|plus|um+|hm+|wait|right|no|yes|yeah|sure|sorry|quick one|one more thing)\b[,.!:]?\s+|"
    r"(?:can|could|will|would) (?:you|u)\s+|(?:i'?d|i would) (?:like|love) (?:you )?to\s+|i need you to\s+|i want you to\s+|"
    r"(?:can|could|may) (?:we|i)\s+(?=(?:please |just )?(?:add|move|cancel|re|shift|push|plan|put|schedule|book|delete|remove|undo|see))|"
    r"(?:i want|i wanna|i need|i have|i'd like)(?: to)?\s+(?=(?:add|move|cancel|reschedule|plan|put|schedule|book|delete|remove|undo|log|see)\b)|"
    r"(?:let'?s|let us)\s+(?=(?:add|move|cancel|re|plan|put|schedule|book|log)\w*\b)|(?:help me)\s+(?:to )?|"
    r"(?:maybe|kindly|quickly)\s+)+",
    re.IGNORECASE,
)
_ASKS_WITH_ADVERB: Final = re.compile(
    r"((?:do|am|have|did|is|are|was|were) (?:i|we|there))\s+(?:already|actually|even|still|also|currently)\b",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"(?:[\s,.!?-]+|\b(?:please|pls|plz|thanks|thank you|thx|and|or|ok(?:ay)?|lol|haha|now|again|then|for me|right|you know)\b)+$",
    re.IGNORECASE,
)
_CONTRACTIONS: Final = {
    "whats": "what's", "whens": "when's", "wheres": "where's", "im": "i'm", "ive": "i've", "dont": "don't", "cant": "can't",
    "didnt": "didn't", "ill": "i'll", "lets": "let's", "theres": "there's", "u": "you", "tmrw": "tomorrow", "id": "i'd",
}  # fmt: skip
_CONTRACTED: Final = re.compile(rf"\b(?:{'|'.join(_CONTRACTIONS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A span of a message: `text[start:end]`."""

    start: int
    end: int
    joined: bool
    """Whether only "and" or a comma is between it and the clause before."""


def straightened(text: str) -> str:
    """Return the text with plain quotation marks, of the same length."""
    return text.translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0xA0: " "})


def split_clauses(text: str) -> list[Clause]:
    """Return the clauses of a message in order, without empty ones."""
    found: list[Clause] = []
    start = 0
    for end in [*(_SENTENCE_END.finditer(text)), None]:
        stop = end.start() if end is not None else len(text)
        found += _within(text, start, stop)
        start = end.end() if end is not None else stop
    return found


def _within(text: str, start: int, stop: int) -> list[Clause]:
    """Return the clauses of one sentence."""
    places, joined = [start], [False]
    ends = []
    for joint in _JOINT.finditer(text, start, stop):
        if joint.start() > places[-1]:
            ends.append(joint.start())
            places.append(joint.end())
            joined.append(True)
    clauses: list[Clause] = []
    for begin, end, is_joined in zip(places, [*ends, stop], joined, strict=True):
        words = text[begin:end]
        left = begin + len(words) - len(words.lstrip())
        right = left + len(words.strip())
        if right > left and right - left <= LONGEST_CLAUSE:
            clauses.append(Clause(start=left, end=right, joined=is_joined and bool(clauses)))
    return clauses


def plain_clause(text: str) -> str:
    """Return a clause without "could you please", "already" and the like, with the apostrophes that quick writers leave out."""
    found = _BEGINNING.match(text)
    text = _END.sub("", text[found.end() :] if found else text)
    text = _ASKS_WITH_ADVERB.sub(r"\1", text, count=1)
    return _CONTRACTED.sub(lambda each: _CONTRACTIONS[each[0].casefold()], text)
