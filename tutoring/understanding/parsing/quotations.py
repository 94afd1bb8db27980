"""Quotes of a message: literal spans and their stance."""

import re

from tutoring.understanding.parsing import assertions

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})
# The 3/4 of "1 3/4", "-3/4" or "3/4 + 1" is part of a longer value and must not be graded alone.
_MORE_BEFORE = re.compile(r"(?:\d\s*|\d[.,]|[-+*/^×·÷−<>]\s*|\d\s+and\s+)$")
_MORE_AFTER = re.compile(r"\s*(?:[-+*/^×·÷−]\s*\d|[.,/]\d|\d)")

# Function words, of which any sentence of six words has one.
_SMALL = re.compile(
    r"\b(?:an?|the|it|they|you|we|i|is|are|be|of|to|in|on|by|for|with|because|so|if|when|then|than|that|and|but|not)\b"
)
# "more parts, smaller parts, whole, share" lists keywords to please a grader. Chosen by hand.
LISTED, SHORT = 4, 0.75
"""Terms from which words between commas are a list, and the share of them that must be short."""
# Chosen by hand; "bigger bottom smaller parts same whole" has none.
FEWEST_LINKED = 6
"""Words from which a sentence must hold a function word."""


def find_span(quote: str, text: str) -> str | None:
    """Return the span of a message that equals a quote, up to the form of quotation marks; None if there is none.

    It begins and ends at word boundaries.
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
    """Tell whether a position of a text lies within a word or number."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def span_stances(span: str, text: str) -> set[str]:
    """Return the stances of a span in its message; a span of several sentences has the stance of each."""
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
    """Tell whether a span occurs in the message as a value of its own."""
    places = (found.span() for found in re.finditer(re.escape(span), text))
    return any(not _MORE_BEFORE.search(text[:start]) and not _MORE_AFTER.match(text, end) for start, end in places)


def is_keyword_list(words: str) -> bool:
    """Tell whether plain words are a list of keywords, no sentence: "more parts, smaller parts, whole, share"."""
    terms = [term.split() for term in re.split(r"[,;\n]", words) if term.strip()]
    listed = len(terms) >= LISTED and sum(len(term) < 3 for term in terms) >= SHORT * len(terms)
    return listed or (sum(map(len, terms)) >= FEWEST_LINKED and not _SMALL.search(words))
