"""Quotes: whether words stand in a message letter by letter, and how they stand there."""

import re

from tutoring.understanding.parsing import assertions

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})
_MORE_BEFORE = re.compile(r"(?:\d\s*|\d[.,]|[-+*/^×·÷−<>]\s*|\d\s+and\s+)$")
_MORE_AFTER = re.compile(r"\s*(?:[-+*/^×·÷−]\s*\d|[.,/]\d|\d)")
"""A number beside which these stand is a part of a longer one: the 3/4 of 1 3/4, of -3/4, of 3/4 + 1."""
_SMALL = re.compile(
    r"\b(?:an?|the|it|they|you|we|i|is|are|be|of|to|in|on|by|for|with|because|so|if|when|then|than|that|and|but|not)\b"
)
LISTED, SHORT = 4, 0.75
"""Terms from which words between commas are a list, and the share of them that are short."""
FEWEST_LINKED = 6
"""Words from which a sentence has a small one among them."""


def find_span(quote: str, text: str) -> str | None:
    """Return the span of a message that a quote is, letter by letter but for the form of its quotation marks; None for none.

    It begins and ends where words do.
    """
    wanted, said = quote.strip().translate(_STRAIGHT), text.translate(_STRAIGHT)
    place = said.find(wanted) if wanted else -1
    while place >= 0:
        end = place + len(wanted)
        if not (_joins(said, place) or _joins(said, end)):
            return text[place:end]
        place = said.find(wanted, place + 1)
    return None


def _joins(text: str, place: int) -> bool:
    """Tell whether a word or number goes on across a place of a text."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def span_stances(span: str, text: str) -> set[str]:
    """Return how a span stands in its message: claimed, denied, quoted or asked; one of several sentences as each of them."""
    parts = [part for part in assertions.sentences(assertions.plain_text(span)) if part] or [
        assertions.plain_text(span)
    ]
    said = assertions.plain_text(text)
    found = {
        each.standing
        for part in parts
        for each in assertions.find_patterns([re.escape(part.rstrip(".!;?,"))], text=said)
    }
    return set(found) or {"claimed"}


def is_separate_value(span: str, text: str) -> bool:
    """Tell whether a span is a value of its own somewhere in the message."""
    places = (found.span() for found in re.finditer(re.escape(span), text))
    return any(not _MORE_BEFORE.search(text[:start]) and not _MORE_AFTER.match(text, end) for start, end in places)


def is_keyword_list(words: str) -> bool:
    """Tell whether plain words are a heap of keywords, and no sentence: "more parts, smaller parts, whole, share, bottom"."""
    terms = [term.split() for term in re.split(r"[,;\n]", words) if term.strip()]
    listed = len(terms) >= LISTED and sum(len(term) < 3 for term in terms) >= SHORT * len(terms)
    return listed or (sum(map(len, terms)) >= FEWEST_LINKED and not _SMALL.search(words))
