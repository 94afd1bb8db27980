"""Finds the sentences that a message asserts: not questions, requests, denials, or reports of others."""

import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

from tutoring.understanding.parsing.assertions import SENTENCE, claimed_part, is_asking, plain_text

# Each costs at least a millisecond; four cover nearly all messages. Chosen by hand.
MOST: Final = 4
"""Sentences of a message that are returned."""
_WORD = re.compile(r"\w")
# "i dont think they are halves", "its not true that …", "that is a myth": the sentence is against what it names.
_DENIED = re.compile(
    r"\b(?:don'?t|do not|didn'?t|never|no longer|cannot|can'?t) (?:really |even )?(?:think|believe|agree|accept)\b"
    r"|\b(?:not|isn'?t|aren'?t|never) (?:true|right|so|correct|the case)\b|\bnot because\b|\bno(?:body|one) (?:would )?(?:says?|thinks?)\b"
    r"|\b(?:false|untrue|nonsense|mistake|mistaken|myth|silly|rubbish)\b|\b(?:is|are|was|were|be|that'?s|it'?s) (?:just |all |so )?wrong\b"
)
# "my sister says …", "what if …", "i used to …". Longer than `assertions._REPORTED`, since a whole sentence is dropped;
# "we", "people" and numbers may say things.
_TOLD = re.compile(
    r"\b(?!(?:i|it|that|this|which|we|numbers?|bottoms?|tops?|denominators?|numerators?|fractions?|names?|people|\d+)\b)\w+ "
    r"(?:said|says|thinks?|thought|told|claims?|claimed|believes?|wrote|writes|keeps? saying|insists?|reckons?|used to)\b"
    r"|\bi (?:used to|once|first) \w+|\bi thought\b|\bat first\b|\b(?:what if|suppose|imagine|pretend)\b|\bif (?:someone|somebody)\b"
)
# "no youre wrong, two pieces are always halves": what is claimed comes after it.
_PROTEST = re.compile(
    r"^\W*(?:(?:no|nope|nah|but|wait)\W+)*(?:you'?re|you’re|you are|ur|u r|u are) (?:so |totally |just )?wrong\W+(?=\w+\W+\w+)",
    re.IGNORECASE,
)
# "teach me one half", "can we do the next": the name of a concept in a wish asserts nothing.
_REQUEST = re.compile(
    r"^\W*(?:(?:please|pls|ok|okay|so|now|and|can we|can you|could you|let'?s|lets|i want to|i wanna|i'?d like to|i would like to)\W+)*"
    r"(?:teach|show|tell|explain|give|help|learn|practi[cs]e|quiz|test|review|repeat|go|start|skip|stop|continue|do)\b"
    r"(?=.*\b(?:me|us|about|again|with|on|to|how|why|what|one half|next|it)\b)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedSentence:
    """A sentence that the message asserts."""

    words: str
    """Plain text, without quotations."""
    quote: str
    """The original span of the message."""


def find_claimed_sentences(text: str, *, replying: bool = False) -> tuple[ClaimedSentence, ...]:
    """Return the first sentences that a message asserts; for `replying` see `assertions.is_asking`."""
    return tuple(
        islice(
            filter(None, (_claimed(each.group(), replying=replying) for each in SENTENCE.finditer(text[:1000]))), MOST
        )
    )


def _claimed(sentence: str, *, replying: bool) -> ClaimedSentence | None:
    sentence = _PROTEST.sub("", sentence)
    words = plain_text(sentence)
    if is_asking(words, replying=replying) or _DENIED.search(words) or _TOLD.search(words) or _REQUEST.match(words):
        return None
    own = claimed_part(words).strip(" .,;!")
    return ClaimedSentence(words=own, quote=sentence.strip()) if _WORD.search(own) else None
