"""Renders the tutor's words for a move: a phrase chosen by a seed and filled with the learner's and the course's words."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from tutoring.courses.hint_ladder import LAST_RUNG
from tutoring.lesson.moves import Move
from tutoring.roles.wording.phrases import FALLBACK, FALLBACKS, RESUME_OFFERS, WORDINGS

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Blocks
    from tutoring.courses.exercises.exercise import Exercise
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.understanding.parsing.quoting import QUOTE_WORDS, quote_words

MAXIMUM_WORDS = 60
WORTH_QUOTING = 4
ANSWER_LENGTH = 24

_SAYABLE = re.compile(r"[\w\s/.,+\-−×÷½¼¾⅓⅔⅛%=()':]+")
_SENTENCE = re.compile(r"(?:“[^”]*”|[^“])+?[.!?](?=\s|$)", re.DOTALL)
"""Up to the first full stop that is not within a quotation."""
_QUOTED_FIRST = re.compile(r"^“[^”]*”\s*[.:]\s*")
"""A quotation of the learner's words at the start of a reaction, and the sign after it."""
_BEGINS_WITH_A_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_] \w")
_FIELDS = Formatter()
_COURSE_PARTS = frozenset({"hint", "heard", "not_yet", "reason", "ask"})
_FROM_COURSE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingParts:
    """The parts that a wording may use. Everything is optional; a wording that lacks a part is not chosen."""

    answer: str = ""
    """The learner's answer, as typed."""
    quote: str = ""
    """The learner's own words."""
    hint: str = ""
    """The course's text for the rung, the contrast case's question, or its answer to a question."""
    heard: str = ""
    """The course's reply to words that contain the ideas."""
    not_yet: str = ""
    """The course's reply to words that do not."""
    holds: str = ""
    """What is right in the learner's words; only for a model."""
    reason: str = ""
    """Why a right answer is right, in one sentence."""
    concept: str = ""
    prerequisite: str = ""
    """Titles as the learner sees them."""
    ask: str = ""
    """A question to end on; it replaces the wording's own."""


def render_move(move: Move, *, seed: int, words: WordingParts | None = None) -> str:
    """Return what to say for the move, the same for the same seed, as Markdown; the caller adds pictures.

    The wordings that use the most of `words` are preferred. A course's hint is said in full, so rungs 4 and 5 may be
    longer than sixty words: then the framing is left out, never the hint.
    """
    parts = _parts(words or WordingParts())
    chosen = _usable_wordings(WORDINGS[move.id], parts=parts)
    said = [capitalize_sentence(gettext(wording).format(**parts)) for wording in chosen]
    fitting = [text for text in said if is_speakable(text)] or [parts["hint"] or parts["ask"] or fallback_words(move)]
    return fitting[seed % len(fitting)]


def resume_offer_words(*, seed: int) -> str:
    """Return the offer to go back to a quiz that waits."""
    return pick_wording(RESUME_OFFERS, seed=seed)


def pick_wording(wordings: Sequence[str], *, seed: int) -> str:
    """Return one of several wordings, the same for the same seed."""
    return gettext(wordings[seed % len(wordings)])


def fallback_words(move: Move) -> str:
    """Return words for the move without a number, letter or choice, for when every wording would give too much away."""
    return gettext(FALLBACKS.get(move.id, FALLBACK))


def is_speakable(text: str) -> bool:
    """Tell whether a text fits the voice: at most sixty words and one question, no exclamation mark."""
    return len(text.split()) <= MAXIMUM_WORDS and text.count("?") <= 1 and "!" not in text


def first_sentence(text: str) -> str:
    """Return a text up to the end of its first sentence."""
    first = _SENTENCE.match(text)
    return first.group() if first else text


def fit_reaction(reaction: str, text: str) -> str:
    """Return a reaction short enough to stand before a text: whole, or its first sentence after any quotation."""
    if len(f"{reaction} {text}".split()) <= MAXIMUM_WORDS:
        return reaction
    own = _QUOTED_FIRST.sub("", reaction)
    return first_sentence(own[:1].upper() + own[1:])


def capitalize_sentence(text: str) -> str:
    """Return a text with a capital first letter; one that begins with a sign, a number or a lone letter stays."""
    return text[:1].upper() + text[1:] if _BEGINS_WITH_A_WORD.match(text) else text


def is_worth_quoting(text: str) -> bool:
    """Tell whether a learner's words say enough to be repeated and are short enough to be repeated whole."""
    return WORTH_QUOTING <= len(text.split()) <= QUOTE_WORDS and not quote_words(text).endswith("…")


def sayable_answer(answer: str) -> str:
    """Return an answer that can be repeated in a sentence; "" for one that is long or full of signs."""
    answer = " ".join(answer.split())
    return answer.rstrip(".") if len(answer) <= ANSWER_LENGTH and _SAYABLE.fullmatch(answer) else ""


def _parts(words: WordingParts) -> dict[str, str]:
    return {
        "answer": sayable_answer(words.answer),
        "quote": quote_words(words.quote),
        "hint": words.hint.strip(),
        "heard": words.heard.strip(),
        "not_yet": words.not_yet.strip(),
        "reason": words.reason.strip(),
        "concept": words.concept.strip(),
        "prerequisite": words.prerequisite.strip(),
        "ask": words.ask.strip(),
    }


def _usable_wordings(wordings: Sequence[str], *, parts: Mapping[str, str]) -> list[str]:
    """Return the wordings that use the most of the given parts and nothing missing; a course's own words count most."""
    fields = {wording: {field[1] for field in _FIELDS.parse(wording) if field[1]} for wording in wordings}
    filled = [wording for wording in wordings if all(parts[name] for name in fields[wording])]
    worth = {
        wording: sum(_FROM_COURSE if name in _COURSE_PARTS else 1 for name in fields[wording]) for wording in filled
    }
    return [wording for wording in filled if worth[wording] == max(worth.values())]


# A second wording differs in what it quotes. Chosen by hand.
RENDERINGS = 2
"""Renderings that are tried before the fallback."""


def render_without_answer(
    render: Callable[[int], str],
    instance: "Exercise | None",
    said_by_learner: Iterable[str],
    otherwise: str,
    *,
    rung: int = 0,
) -> str:
    """Return the first of two renderings that discloses nothing, else the fallback.

    `render` gets 0, then 1. Without an open exercise, or at rung 5, the first rendering is returned unchecked. The
    fallback must hold no number, letter or choice; it is not checked.
    """
    if instance is None or rung >= LAST_RUNG:
        return render(0)
    said = list(said_by_learner)
    for attempt in range(RENDERINGS):
        message = render(attempt)
        if not discloses_answer(message, instance, said):
            return message
    return otherwise


def blocks_without_answer(blocks: "Blocks", instance: "Exercise | None", said_by_learner: Iterable[str]) -> "Blocks":
    """Return the blocks of a case, or general words instead if the case happens to hold the open answer."""
    text = "\n".join(block for block in blocks if isinstance(block, str))
    if instance is None or not discloses_answer(text, instance, said_by_learner):
        return blocks
    return (fallback_words(Move(id="contrast_case")),)
