"""What of a message its writer claims: not what is asked, asked for, denied, or said by somebody else."""

import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

from tutoring.understanding.parsing.assertions import SENTENCE, claimed_part, is_asking, plain_text

MOST: Final = 4
"""Sentences of a message that are read; each costs a millisecond and more."""
_WORD = re.compile(r"\w")
_DENIED = re.compile(
    r"\b(?:don'?t|do not|didn'?t|never|no longer|cannot|can'?t) (?:really |even )?(?:think|believe|agree|accept)\b"
    r"|\b(?:not|isn'?t|aren'?t|never) (?:true|right|so|correct|the case)\b|\bnot because\b|\bno(?:body|one) (?:would )?(?:says?|thinks?)\b"
    r"|\b(?:false|untrue|nonsense|mistake|mistaken|myth|silly|rubbish)\b|\b(?:is|are|was|were|be|that'?s|it'?s) (?:just |all |so )?wrong\b"
)
_TOLD = re.compile(
    r"\b(?!(?:i|it|that|this|which|we|numbers?|bottoms?|tops?|denominators?|numerators?|fractions?|names?|people|\d+)\b)\w+ "
    r"(?:said|says|thinks?|thought|told|claims?|claimed|believes?|wrote|writes|keeps? saying|insists?|reckons?|used to)\b"
    r"|\bi (?:used to|once|first) \w+|\bi thought\b|\bat first\b|\b(?:what if|suppose|imagine|pretend)\b|\bif (?:someone|somebody)\b"
)
_REQUEST = re.compile(
    r"^\W*(?:(?:please|pls|ok|okay|so|now|and|can we|can you|could you|let'?s|lets|i want to|i wanna|i'?d like to|i would like to)\W+)*"
    r"(?:teach|show|tell|explain|give|help|learn|practi[cs]e|quiz|test|review|repeat|go|start|skip|stop|continue|do)\b"
    r"(?=.*\b(?:me|us|about|again|with|on|to|how|why|what|one half|next|it)\b)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedSentence:
    """A sentence of the message that its writer claims."""

    words: str
    """In plain words, without what it quotes."""
    quote: str
    """As it stands in the message."""


def find_claimed_sentences(text: str, *, replying: bool = False) -> tuple[ClaimedSentence, ...]:
    """Return the first sentences of a message that its writer claims; for `replying` see `claims.is_asking`."""
    return tuple(
        islice(
            filter(None, (_claimed(each.group(), replying=replying) for each in SENTENCE.finditer(text[:1000]))), MOST
        )
    )


def _claimed(sentence: str, *, replying: bool) -> ClaimedSentence | None:
    words = plain_text(sentence)
    if is_asking(words, replying=replying) or _DENIED.search(words) or _TOLD.search(words) or _REQUEST.match(words):
        return None
    own = claimed_part(words).strip(" .,;!")
    return ClaimedSentence(words=own, quote=sentence.strip()) if _WORD.search(own) else None
