"""Finds the part of a reply that commits to an answer: after the last correction, without hedges and reasons."""

import re
from typing import Final

from tutoring.grading.language.synonyms import STOP, stem

# "is it 3/4?" guesses; "is it always the bottom that tells the size?" asks. Chosen by hand.
WORDS_OF_A_GUESS: Final = 6
"""Words up to which a reply with a question mark is a guess, not a question."""
# "3/4, they are equal parts" gives a reason, "3/4 yes" does not. Chosen by hand.
WORDS_OF_A_REASON: Final = 2
"""Words besides the answer's and the question's from which a reply gives a reason."""

# "3/4 because …", "becuase", "bcs", "cuz", "if you cut it". "so" is not here: it leads to the answer.
REASON: Final = re.compile(
    r"\b(?:be?c[aou]{0,2}[sz]e?|'?cause|cuz|coz|cos|bc|since|(?<!same )as(?! (?:(?:it is )?(?:written|typed)|well)\b)|if|when)\b"
)
DENIES: Final = re.compile(
    r"\b(?:not|isn'?t|aren'?t|never|nor|no(?! (?:it'?s|that'?s))) (?:\w+ )?$|\bdidn'?t say $|\bevery $|(?:^|\W)out of $|\b(?:than|from|of|beats|over|under|(?<=\w )(?<!its )(?<!it's )(?<!so )like) (?:the |an? )?$"
)
"""Before a value that is denied, or only compared with: "not 3/4", "more than 1/2"."""
WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:/\d+)?")
# "1/8, no wait 1/4", "i mean 6", "5... no 6": what stands after the last of these counts.
_CORRECTS: Final = re.compile(
    r"(?:\b(?:no,? wait|wait,? no|wait|no no|i mean|i meant|sorry|actually|oh no|rather|correction)\b|\bbut (?:it'?s|no)\b"
    r"|(?:\.\.+|\?) ?(?:no|hm+)\b|(?:(?<=\d) |^)no,? (?=-?\d))[\s,.:]*"
)
# Hedges before an answer: "um i think its", "the answer is", "i got". "easy", "obviously" and "i already said" hedge
# nothing, but stand in the same place.
_VENTURED: Final = re.compile(
    r"^\W*(?:(?:is it|it'?s|it is|its|it was|(?:it |that )?(?:must|would|should) be|it equals|is|maybe|i think(?: that)?(?: it'?s| it is| its)?"
    r"|(?:no\W+)?i (?:already |just )?(?:said|meant|told (?:you|u))|i (?:would )?guess|i (?:believe|suppose|assume|expect)(?: that)?|i (?:would|'?d) say|i'?d (?:say|put it at|guess)|i say|i (?:take|choose|pick)|the answer is|my answer is|answer|u+m+|u+h+|e+r+|h+m+|ok(?:ay)?|so|well|oh|ah|easy"
    r"|probably|obviously|surely|then|just|that'?s|thats|i got|i get|they are|theyre|they'?re|there are|he gets|she gets|i have|like|about)\b\W*)*"
)
# With a question mark at the end these ask back: "what does that mean?".
_ASKS: Final = re.compile(r"\W*(?:what|which|why|how|who|where|when|can|could|does|do|is (?:the|this|that)|are)\b")
# "but nobody read 8 books how can that be the median": nothing before it is an answer.
_WONDERS: Final = re.compile(r"\bhow (?:can|could|come)\b|^(?:but |and |so )?(?:why|how)\b")
# Questions that want a reason beside the value: "How do you know?", "Explain."
_ASKS_REASON: Final = re.compile(
    r"\b(?:why|how (?:do|can|could|did) you (?:know|see|tell|find|work|get)|how you (?:know|see|worked|found|got|read)|explain"
    r"|what makes|tell me how|show your)\b"
)
_NO_REASON: Final = frozenset(map(stem, ("yes", "no", "true", "false", "sure")))


def after_correction(said: str) -> str:
    """Return the text after the last correction ("no wait, 6"); the whole reply without one."""
    *_, last = _CORRECTS.split(said)
    return last if last.strip() else said


def without_hedge(said: str) -> str:
    """Return a reply without hedges such as "um, I think it's"."""
    return _VENTURED.sub("", said, count=1)


def before_reason(said: str) -> str:
    """Return the text before a reason; the whole reply if it begins with one."""
    reason = REASON.search(said)
    return said[: reason.start()] if reason and reason.start() > 0 else said


def asks_back(said: str) -> bool:
    """Tell whether a reply asks back; "is it 3/4?" is a guess."""
    if re.search(r"\bis (?:it|that|this)\b.*\bor\b", said) or _WONDERS.search(said):
        return True
    return said.rstrip().endswith("?") and (bool(_ASKS.match(said)) or len(said.split()) > WORDS_OF_A_GUESS)


def content_words(text: str) -> set[str]:
    """Return the stems of a text's content words and its numbers."""
    return {stem(each.removesuffix("'s")) for each in WORD.findall(text) if each not in STOP}


def owes_reason(said: str, question: str, answer: str) -> bool:
    """Tell whether a question asks for a reason that a reply does not give."""
    if not _ASKS_REASON.search(question) or REASON.search(said):
        return False
    return len(content_words(said) - content_words(question) - content_words(answer) - _NO_REASON) < WORDS_OF_A_REASON
