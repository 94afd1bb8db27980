"""The intents of a message: classified by a head from its meaning, its words and the question before it."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.understanding.classifiers import general_heads
from tutoring.understanding.context import Context
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import Intent
from tutoring.understanding.parsing.spelling_cleanup import tidy_text

# A convention, not a measurement: above anything the head gives in practice, below `EXACT_PROBABILITY`.
CERTAIN: Final = 0.97
"""The probability of an intent that exact words express."""
# Saves the clauses' embeddings for most messages. Lower, the wish in "yes. can we stop" would be missed. By hand.
ALL_OF_ONE: Final = 0.95
"""The probability of an intent from which the clauses are not classified separately."""
# Each costs an embedding; long messages are rare. Chosen by hand.
PARTS: Final = 4
"""Clauses of a message that are classified separately."""
# "3/4, but can we stop now" is an answer and a wish. Commas inside numbers have no blank after them.
_PART = re.compile(r"[.!?;\n]+(?:\s+|$)|,\s+|\s+(?:but|and|also|anyway)\s+|\s-\s")
# "3/4", "(b)", "yep": after a question these are answers, whatever the head makes of one word.
_BARE = re.compile(r"^\W*(?:[-+]?\d[\d\s./,:%]*|\(?[a-h]\)?|yes|no|yep|yeah|nope|true|false)\W*$")
# Short messages whose meaning is certain, and which the head gets wrong because an embedding of one word is vague:
# in a played lesson "why" was praised as a partly right answer (2026-11-24).
# Add only what never answers a question; "ok", "right" and "fine" are left to the head for that reason.
_COMMANDS: Final[dict[Intent, str]] = {
    "greeting": "hi|hii+|hello+|hey+|hiya|howdy|good (?:morning|evening|afternoon|day)|hi there|hey there|hello there",
    "emotion_positive": "i see|ah i see|oh i see|makes sense|that makes sense|got it|yay+|woo+hoo+",
    "thanks": "thanks|thank you|thx|ty|tysm|cheers|thanks a lot|thank you so much",
    "go_on": "next|continue|go on|carry on|skip|skip (?:it|this)|proceed|next (?:one|please|question)|keep going|ready|i'm ready",
    "ask_hint": "hint|help|help me|what do (?:you|u) mean|what(?:'s| is| does) (?:that|this|it) mean|huh|i don't (?:get|understand) (?:it|this|that|the question)|a hint|hint please|help please|clue|i'm stuck|stuck",
    "ask_example": "example|an example|example please|show me an example|give me an example",
    "question_content": "why|why (?:tho|though|not|so)|how|how so|how come|but (?:why|how)",
    "ask_quiz": "quiz|quiz me|test me|practi[cs]e|quiz please",
    "ask_answer": "tell me|just tell me|solution|the answer please|what's the answer|tell me the answer|show me the answer",
    "dont_know": (
        "pass|(?:(?:sorry|well|um+|hm+|i|i'm|really|honestly|have|still),? )*"
        "(?:idk|dunno|don't know|do not know|no idea|no clue|not sure)"
        "(?:,? (?:it|this|that|this one|that one|the answer|sorry|really|at all|either|tbh|lol))*"
    ),
    "pause_or_stop": "brb|bye|bye bye|goodbye|stop|pause|break|quit|gtg|g2g|exit|i'm done for today",
    "question_meta": "again|once more|repeat|repeat (?:it|that)|(?:and )?again please|come again",
    "resume": "i'm back|back|where were we|resume",
    "progress": (
        "how am i doing|my progress|my score|what(?:'s| is) my (?:progress|score|standing)"
        "|where (?:do i stand|am i at|am i up to)|how far (?:along )?am i"
        "|what (?:have i|did i|i've) (?:learn(?:ed|t)?|done)(?: today| here| until now)?"
    ),
    "plan": "what's next|what next|what comes next",
    "small_talk": "lol|haha+|lmao|hehe+|xd",
    "insult": "shut up|you suck",
}
# The whole message, with little around it at most: "stop" stops, "stop adding the bottoms" does not.
_EXACT: Final = {
    intent: re.compile(rf"^\W*(?:(?:ok|please|so) )?(?:{words})(?: (?:so far|now|right now|with this))?\W*$")
    for intent, words in _COMMANDS.items()
}
# The labelled rows hold about as many of each intent, but most messages after a question reply to it. The factors are
# chosen by hand (2026-11-23); higher ones would turn wishes and protests into answers.
AFTER_A_QUESTION: Final[dict[str, float]] = {"answer": 2.0, "idea": 2.0, "dont_know": 1.5}
"""Intent → factor on its probability after a question."""
ASIDES: Final[tuple[Intent, ...]] = (
    "small_talk", "off_topic", "emotion_positive", "emotion_negative", "greeting", "thanks", "insult", "nonsense",
)  # fmt: skip
"""Intents of remarks beside the lesson. Where none of them is likely but all together are, it is small talk."""
_QUESTION: Final = re.compile(r"\?\s*$")
# "yes" to "Shall we go on?" is no answer to grade.
_OFFER: Final = re.compile(r"\b(?:shall|should) (?:we|i)\b|\bready\b|\bwould you like\b|\bdo you want\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIntents:
    """The intents of a message."""

    found: tuple[tuple[Intent, float], ...] = ()
    """The likeliest first, each with its probability; others only above the threshold `also`."""
    is_unsure: bool = True
    """No intent reaches its threshold."""


def intents_of(message: MessageText) -> FoundIntents:
    """Return the intents of a message. Takes any text; without sentence model or weights only exact words count.

    Takes about 8 ms besides the embedding, 2 ms if the message is one clause.
    """
    if exact := exact_intent(message):
        return FoundIntents(found=((exact, CERTAIN),), is_unsure=False)
    known = general_heads.load_general_heads()
    try:
        return _read(message, known) if known and message.typed.strip() else _guessed(message)
    except EmbeddingModelMissing:
        return _guessed(message)


def exact_intent(message: MessageText) -> Intent | None:
    """Return the certain intent of a message of one or two words, or None."""
    words, context = message.tidied, message.context
    if _BARE.match(words) and _QUESTION.search(context.asked) and not _OFFER.search(context.asked.lower()):
        return "answer"
    if context.prompts and context.waits and words in _choices(context):
        return "answer"
    return next((intent for intent, pattern in _EXACT.items() if pattern.match(words)), None)


def _choices(context: Context) -> frozenset[str]:
    """Return the words of the options that the open question offers."""
    key = getattr(context.prompts[0].instance, "key", None)
    return frozenset(tidy_text(str(getattr(each, "text", each))) for each in getattr(key, "choices", ()))


def _guessed(message: MessageText) -> FoundIntents:
    """Return what is known without the heads: a question mark makes it a question; all else is unknown."""
    found: tuple[tuple[Intent, float], ...] = (("question_content", 0.5),) if _QUESTION.search(message.typed) else ()
    return FoundIntents(found=found)


def _read(message: MessageText, known: general_heads.GeneralHeads) -> FoundIntents:
    asked = message.context.asked
    limits = general_heads.thresholds()
    whole = _in_place(
        general_heads.label_chances("intent", general_heads.message_vector(message, asked, known.centre), known), asked
    )
    first = max(whole, key=lambda intent: whole[intent])
    asides = sum(whole[each] for each in ASIDES)
    # One word may name a topic: "transformers".
    if whole[first] < limits["intent"] and asides >= limits["asides"] and len(message.typed.split()) > 1:
        return FoundIntents(found=(("small_talk", asides),), is_unsure=False)
    parted = whole
    for part in _clauses(message, asked, known) if whole[first] < ALL_OF_ONE else ():
        parted = {intent: max(chance, part[intent]) for intent, chance in parted.items()}
    others = sorted(
        (intent for intent in parted if intent != first and parted[intent] >= limits["also"]),
        key=lambda intent: -parted[intent],
    )
    found = [(first, whole[first]), *((each, min(parted[each], whole[first])) for each in others)]
    return FoundIntents(found=tuple(found), is_unsure=whole[first] < limits["intent"])  # type: ignore[arg-type]


def _in_place(chances: dict[str, float], asked: str) -> dict[str, float]:
    """Return the probabilities without danger, which the detector finds, and reweighted after a question.

    Most messages after a question reply to it.
    """
    after = AFTER_A_QUESTION if _QUESTION.search(asked) else {}
    weighed = {intent: chance * after.get(intent, 1.0) for intent, chance in chances.items() if intent != "safety"}
    total = sum(weighed.values())
    return {intent: chance / total for intent, chance in weighed.items()}


def _clauses(message: MessageText, asked: str, known: general_heads.GeneralHeads) -> list[dict[str, float]]:
    """Return the probabilities for each of a message's first clauses; empty if it has only one."""
    parts = [MessageText(typed=part) for part in split_clauses(message.typed)]
    if len(parts) < 2:
        return []
    meanings = embeddings.embed_clauses([part.tidied or part.typed for part in parts])
    rows = [
        general_heads.message_vector(each, asked, known.centre, found)
        for each, found in zip(parts, meanings, strict=True)
    ]
    return [general_heads.label_chances("intent", row, known) for row in rows]


def split_clauses(text: str) -> list[str]:
    """Return a message's first sentences and clauses with their punctuation; at most four."""
    # 400 characters are more than four clauses; the bound keeps pasted texts cheap.
    ends = [0, *(match.end() for match in _PART.finditer(text[:400])), min(len(text), 400)]
    parts = (text[start:end].strip() for start, end in pairwise(ends))
    return [part for part in parts if re.search(r"\w", part)][:PARTS]
