"""Finds a question to the learner's own files in a message: "from my notes: what temperature?"."""

import re
from typing import Final

_FILES: Final = (
    r"my (?:own )?(?:class |school |lecture )?"
    r"(?:notes?|notebook|files?|documents?|docs?|recipes?|uploads?|handouts?|worksheets?|pdfs?|textbook)"
)
_ASKING: Final = r"\b(?:what|what'?s|how|which|where|when|who|why|tell me|find|look up|show me)\b"
ASKS_OWN_FILES: Final = re.compile(
    # "from my notes: what temperature", "according to my notes, how hot".
    rf"^(?:(?:and|so|ok(?:ay)?|please)\W+)*(?P<lead>(?:from|in|using|according to|with) {_FILES}\s*[:,–—-])"
    # "look in my notes: what is a half", "search my files for the oven".
    rf"|(?P<order>\b(?:look|search|check)(?: (?:it |that )?(?:in|at|through|up in|inside))? {_FILES}(?: (?:for|to see|and tell me)\b)?)"
    # "what do my notes say about the oven".
    rf"|(?P<say>\bwhat (?:do|does|did) {_FILES} (?:say|tell me|mention)(?: about)?\b)"
    # "how much sugar do i need, from my notes".
    rf"|{_ASKING}.*?(?P<tail>\b(?:from|in|according to) {_FILES}\W*$)",
    re.IGNORECASE,
)
"""Requests only: "in my notes it says 1/2" is a statement, and "i left my notes at school" asks nothing."""


def question_for_files(text: str) -> str:
    """Return what the message asks its writer's files, without the words that name them."""
    found = ASKS_OWN_FILES.search(" ".join(text.split()))
    if found is None:
        return text
    start, end = found.span(found.lastgroup or 0)
    return " ".join(f"{found.string[:start]} {found.string[end:]}".split()).strip(" ,:;–—-")
