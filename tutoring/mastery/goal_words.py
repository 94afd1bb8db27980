"""A goal in the learner's own words, without the words around it."""

import re
from typing import Final

MAX_LENGTH: Final = 80
"""Longer words tell a story around the goal: its topic's title says it better."""

_WISH = re.compile(
    r"\W*(?:(?:hi|hello|hey|please|so|ok|okay)\b\W+)*"
    r"i(?:\s+(?:really|just|only))?(?:['’]d|\s+would)?(?:\s+(?:really|just|only))?"
    r"\s+(?:want|need|like|love|wish|have|hope)\s+to\s+"
    r"(?:(?:learn|know|understand|see|find\s+out|be\s+able)\b\s*)?(?:(?:about|how\s+to|how\s+i\s+can|to)\b\s*)?",
    re.IGNORECASE,
)


def wish_in(words: str) -> str:
    """Return what somebody wants, from "I want to learn how to …"; empty if the words have another form."""
    said = re.split(r"[.!?;\n]", words.strip(), maxsplit=1)[0]
    found = _WISH.match(said)
    wish = said[found.end() :].strip(" ,:") if found else ""
    return wish if 2 <= len(wish) <= MAX_LENGTH else ""
