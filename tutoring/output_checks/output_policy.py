"""Policy for a model's words, whatever it was prompted to say: checked before they are shown."""

import re

from agents.engine.roles import TOO_MUCH

# HTML, scripts and images: replies are Markdown text.
_MARKUP = re.compile(r"<\s*/?\s*[a-z!?]|javascript:|&lt;\s*script|!\[", re.IGNORECASE)
# No model knows which pages exist; sources come from the library.
_LINK = re.compile(r"\]\(|https?://|www\.", re.IGNORECASE)
_WHO = r"(?:real |new |human )?(?:teacher|headteacher|principal|administrator|admin|human|person|parent)\b"
# A model is no person ("I am your teacher") and sets no grades ("I give you full marks", "you have mastered it").
_CLAIMS = re.compile(
    rf"\b(?:i'?m|i am) (?:now )?(?:your|the|a|an) {_WHO}"
    # "As your teacher I say so" is said of oneself; "think of it as a person", "this is a human idea" are not.
    rf"|^\W*as (?:your|the|a|an) {_WHO}(?=,| i\b)|\bthis is (?:your|the|a|an) {_WHO}(?= speaking| here|\W*$)"
    r"|\bi(?:'ve| have|'ll| will|'m going to)? (?:just )?(?:give|gave|given|set|raise[d]?|change[d]?|mark(?:ed)?|award(?:ed)?|"
    r"record(?:ed)?|grant(?:ed)?) (?:you|your|the|a|an|everyone|everybody|full)\b[^.?!]{0,40}"
    r"\b(?:grade|marks?|score|points|credit|mastery|badge|certificate|percent|100 ?%)(?!\w| (?:on|at|in|along|between|of the (?:line|bar))\b)"
    # "Your score is worked out from your answers", "is not mine to set" tell how, and not which.
    r"|\byour (?:grade|mark|score|mastery|level) (?:is|was|has been|will be|stands)\b"
    r"(?! (?:only |always |never |all )?(?:not|worked|shown|kept|based|up|made|counted|calculated|computed|decided|about|yours|private|what|how)\b)"
    r"|\byou(?:'ve| have| are| get)? (?:now )?(?:(?:mastered|certified|full marks)\b|passed(?=\W*$| (?:it|this|your|the (?:quiz|test|exam|lesson|level|course))\b)"
    r"|100 ?%(?! (?:of (?:the|a|an|it|them|your|each|one)|shaded|dark|when|if|once)\b))",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
# "when you have mastered it", "I can't say your score is 5": supposed or denied, and so no claim.
_ASKED_OR_SUPPOSED = re.compile(
    r"\b(?:whether|if|when|until|till|once|before|unless|how)\b[^.?!,;:]*$"
    r"|(?:\bnot|n't|\bnever|\bno one can|\bnobody can|\bcannot) (?:yet )?(?:mean|say|show|prove|tell)s?\b[^.?!,;:]*$",
    re.IGNORECASE,
)


def find_policy_problem(text: str, *, questions: int = 1) -> str:
    """Return the kind of policy violation: `markup`, `link`, `claim`, or TOO_MUCH for too many questions; else empty.

    `questions` is the number it may ask.
    """
    if _MARKUP.search(text):
        return "markup"
    if _LINK.search(text):
        return "link"
    if any(map(_claims, _SENTENCE.split(text.replace("’", "'")))):
        return "claim"
    return TOO_MUCH if text.count("?") > questions else ""


def _claims(sentence: str) -> bool:
    """Tell whether a sentence asserts a role or an act that no model has; questions and suppositions are no claims."""
    if sentence.rstrip().endswith("?"):
        return False
    return any(not _ASKED_OR_SUPPOSED.search(sentence[: found.start()]) for found in _CLAIMS.finditer(sentence))
