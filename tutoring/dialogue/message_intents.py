"""What a message does, in the five words that API clients know: question, statement, request, greeting, goodbye."""

import re
from typing import Final

from conversations.turns.handler import Intent
from tutoring.lesson.acts import Act

# Read from the text: the lesson has one act for "what is a half?" and "explain halves".
_REQUEST: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|and|now|hi|hello|hey|please|then)\W+)*(?:(?:can|could|would|will) (?:you|we|i)\b|please\b|let'?s\b"
    r"|(?:i (?:want|need|would like|wish)|i'?d like) (?:to|you|a|an|some|help|the)\b|(?:help|teach|tell|show|give|remind|quiz|test) (?:me|us)\b"
    r"|(?:explain|describe|compare|define|summari[sz]e|sum up|find|search|look up|calculate|work out|compute|draw|write|list|name"
    r"|translate|repeat|stop|start|go (?:on|back)|continue|skip|next)\b)",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"\?|^\W*(?:(?:ok(?:ay)?|so|and|but|hi|hello|hey)\W+)*(?:what|whats|what's|why|how|who|whose|when|where|which|is it|are there|does|do you)\b",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"^\W*(?:hi+|hello+|hey+|hiya|howdy|good (?:morning|afternoon|evening|day))(?: (?:there|everyone|all|team|again|tutor))*\W*$",
    re.IGNORECASE,
)
_GOODBYE: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|thanks?(?: you)?|well|and|cheers)\W+)*(?:bye|goodbye|good night|see you|see ya|cya)\b[^?]{0,40}$",
    re.IGNORECASE,
)
LONGEST: Final = 2_000
"""Characters of a message that are read, so that a pattern takes no seconds."""

INTENT_BY_ACT: Final[dict[Act, Intent]] = {
    "greeting": "greeting",
    "goodbye": "goodbye",
    "question": "question",
    "system": "question",
    "calculation": "question",
    "answer_demand": "request",
    "hint_request": "request",
    "example": "request",
    "other_picture": "request",
    "drawing": "request",
    "go_on": "request",
    "quiz_request": "request",
    "resume": "request",
    "skip": "request",
    "abandon": "request",
    "harder": "request",
}
"""Acts whose messages do this if their words do not say otherwise. All others are statements."""


def intent_of(text: str, act: Act) -> Intent:
    """Return what a message does, by its words and by its act in the lesson; `act` is empty if it is unknown."""
    text = text[:LONGEST].replace("’", "'")
    if act == "greeting" or (not act and _GREETING.search(text)):
        return "greeting"
    if act == "goodbye" or (act in ("", "thanks", "other") and _GOODBYE.search(text)):
        return "goodbye"
    if _REQUEST.search(text):
        return "request"
    return "question" if _QUESTION.search(text) else INTENT_BY_ACT.get(act, "statement")
