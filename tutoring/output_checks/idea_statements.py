"""Whether a text says what an answer in words has to say."""

import math
import re
from typing import Final

from tutoring.grading import Idea, TextKey
from tutoring.grading.language.patterns import matches_pattern
from tutoring.grading.language.synonyms import STOP, stem

SHARE: Final = 0.6
"""Of a reference's own words: a text that holds as many says it."""
ENOUGH: Final = 0.4
"""Of the weight of all ideas: a text that asserts as much is partly right."""

_DENIALS = re.compile(r"\b(?:not|never|no|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_BIDS = re.compile(
    r"(?:please\s+|now\s+|just\s+|and\s+|then\s+)*(?:say|tell|explain|draw|think|imagine|look|try|start|begin|use|give|compare|"
    r"describe|picture|put|count|read|check|do|don['’]t|let)\b(?![^.?!]*(?::|\bthat\b))",
    re.IGNORECASE,
)


def find_stated_answer(said: str, key: TextKey, *, shown: str) -> str:
    """Return `idea` where a text asserts much of what the answer has to say, or holds most of a reference's own words."""
    words, familiar = content_stems(said), content_stems(shown)
    for reference in key.references:
        own = content_stems(reference) - familiar
        if own and len(own & words) >= max(min(2, len(own)), math.ceil(SHARE * len(own))):
            return "idea"
    # Denied, an idea is told all the same.
    asserted, known = _DENIALS.sub(" ", assertive_sentences(said)), _DENIALS.sub(" ", shown)
    fresh = [idea for idea in key.ideas if _says(idea, asserted) and not _says(idea, known)]
    return (
        "idea"
        if fresh and sum(idea.weight for idea in fresh) >= ENOUGH * sum(idea.weight for idea in key.ideas)
        else ""
    )


def _says(idea: Idea, text: str) -> bool:
    return any(matches_pattern(pattern, text) for pattern in idea.any)


def assertive_sentences(text: str) -> str:
    """Return the sentences of a text that neither ask nor bid the reader do something."""
    sentences = (each.strip() for each in _SENTENCE.split(text))
    return " ".join(each for each in sentences if not each.endswith("?") and not _BIDS.match(each))


def content_stems(text: str) -> frozenset[str]:
    """Return the words of a text that say something, without their endings."""
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]{3,}", text.casefold()) if word not in STOP)
