"""Finds the unanswered part of a two-part question: "Does it, and why?" is only half answered by "no"."""

import re
from collections.abc import Collection

from tutoring.grading.language.vocabulary import word_set

# "…, and why?", "… and how do you know?" at the end of a question.
_SECOND_PART = re.compile(
    r",? and (?:so )?(?P<asked>(?:(?:into|by|to|for) )?(?:why|how|what|which|where|was)\b[^?]*)\?\W*$", re.IGNORECASE
)
# Second parts that want a reason; to these a repetition of the question is no answer.
_REASON = re.compile(
    r"why\b|how (?:can|do|could|would) you (?:know|tell|see|show)\b|what (?:decides|makes you)\b", re.IGNORECASE
)
# A reply with "because" or "if" tries to give a reason, whatever the ideas say.
_CONNECTIVE = re.compile(r"\b(?:because|cause|cuz|cos|bc|since|so|as|if|otherwise)\b")
# "the top one" only points: "one" is no content here.
_POINTED_AT = re.compile(r"\b(the|this|that|top|bottom|upper|lower|first|second|left|right|other|last) ones?\b")
_WORD = re.compile(r"\d+(?:\s*/\s*\d+)?|[a-z']+")
_YES_OR_NO = word_set("no nope nah yes yeah yep yup not")
# Words of a bare choice ("i think its not true"). With the question's own words they hold no reason.
_SAYS_NOTHING = _YES_OR_NO | word_set(
    "a an the it its it's they they're that thats that's this these those he she i i'd id you we me my of to in is "
    "isn't isnt are aren't arent was wasn't were be been am do don't dont does doesn't doesnt did didn't didnt have "
    "has would wouldn't wouldnt can can't cant could should will won't think say guess believe take choose pick want "
    "know see sure so because cause cuz cos since just well ok okay oh um hm hmm course right wrong true correct "
    "definitely"
)


def unanswered_part(question: str, reply: str, *, missing: Collection[str]) -> str:
    """Return the unanswered second part of a question, as "And why?"; empty if nothing is missing.

    `reply` is a plain text that answers the first part, `missing` the names of the expected ideas it lacks.
    """
    second = _SECOND_PART.search(question)
    if second is None:
        return ""
    asked = second["asked"]
    bare = not has_content(reply, to="") and bool(set(_WORD.findall(reply)) & _YES_OR_NO)
    echo = bool(_REASON.match(asked)) and not has_content(reply, to=question)
    # "… and so which is more?" asks for the main idea, so the missing one belongs to the first part.
    short = bool(missing) and not asked.startswith(("which", "where", "was")) and not _CONNECTIVE.search(reply)
    return f"And {asked}?" if bare or echo or short else ""


def has_content(reply: str, *, to: str) -> bool:
    """Tell whether a plain reply has a content word that is not in the question `to`."""
    echoed = {word.removesuffix("s") for word in _WORD.findall(to.lower())}
    words = _WORD.findall(_POINTED_AT.sub(r"\1", reply))
    return any(word.removesuffix("s") not in echoed for word in words if word not in _SAYS_NOTHING)
