"""Detects texts that state the ideas of an answer in words."""

import math
import re
from typing import Final

from tutoring.grading import Idea, TextKey
from tutoring.grading.language.patterns import matches_pattern
from tutoring.grading.language.synonyms import STOP, stem

# A hint shares words with the answer; three of five of its own words are more than a hint. Chosen by hand.
SHARE: Final = 0.6
"""Share of a reference's own words from which a text states it."""
# The grader's PARTIAL_FROM: what would be graded partly right is disclosed.
ENOUGH: Final = 0.4
"""Share of the weight of all ideas from which a text states the answer."""

# "it is not because they are equal" tells the idea too, so denials are removed before matching.
_DENIALS = re.compile(r"\b(?:not|never|no|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
# "say why they are equal", "compare the sizes" ask for the idea; after ":" or "that" it is told ("say that …").
_BIDS = re.compile(
    r"(?:please\s+|now\s+|just\s+|and\s+|then\s+)*(?:say|tell|explain|draw|think|imagine|look|try|start|begin|use|give|compare|"
    r"describe|picture|put|count|read|check|do|don['’]t|let)\b(?![^.?!]*(?::|\bthat\b))",
    re.IGNORECASE,
)


def find_stated_answer(said: str, key: TextKey, *, shown: str) -> str:
    """Return `idea` if a text asserts much of the answer's ideas, or holds most of a reference's own words."""
    words, familiar = content_stems(said), content_stems(shown)
    for reference in key.references:
        own = content_stems(reference) - familiar
        if own and len(own & words) >= max(min(2, len(own)), math.ceil(SHARE * len(own))):
            return "idea"
    # A denied idea is disclosed all the same.
    asserted, known = _DENIALS.sub(" ", assertive_sentences(said)), _DENIALS.sub(" ", shown)
    fresh = [idea for idea in key.ideas if _says_newly(idea, asserted, known)]
    return (
        "idea"
        if fresh and sum(idea.weight for idea in fresh) >= ENOUGH * sum(idea.weight for idea in key.ideas)
        else ""
    )


def _says_newly(idea: Idea, text: str, known: str) -> bool:
    """Tell whether a text says an idea in a way that the known text does not: a word of it may stand there by chance."""
    return any(matches_pattern(pattern, text) and not matches_pattern(pattern, known) for pattern in idea.any)


def assertive_sentences(text: str) -> str:
    """Return the sentences of a text that are neither questions nor instructions."""
    sentences = (each.strip() for each in _SENTENCE.split(text))
    return " ".join(each for each in sentences if not each.endswith("?") and not _BIDS.match(each))


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]{3,}", text.casefold()) if word not in STOP)
