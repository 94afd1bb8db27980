"""Renders the tutor's words for a move: a phrase chosen by a seed and filled with the learner's and the course's words."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import TYPE_CHECKING, Protocol

from django.utils.translation import gettext

from tutoring.courses.hint_ladder import LAST_RUNG
from tutoring.lesson.moves import Move
from tutoring.roles.wording.phrases import FALLBACK, FALLBACKS, WORDINGS

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Blocks
    from tutoring.courses.exercises.exercise import Exercise
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.understanding.parsing.quoting import quote_words

MAXIMUM_WORDS = 60
# Learners found longer repetitions of their own words odd (2026-11-29).
WORTH_QUOTING, REPEATED_WORDS = 4, 10
ANSWER_LENGTH = 24

_SAYABLE = re.compile(r"[\w\s/.,+\-−×÷½¼¾⅓⅔⅛%=()':]+")
_MINUS = re.compile(r"(?<![\w.,])-(?=\d)")
_SENTENCE = re.compile(r"(?:“[^”]*”|[^“])+?[.!?](?=\s|$)", re.DOTALL)
"""Up to the first full stop that is not within a quotation."""
_QUOTED_FIRST = re.compile(r"^“[^”]*”\s*[.:]\s*")
"""A quotation of the learner's words at the start of a reaction, and the sign after it."""
_BEGINS_WITH_A_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_] \w")
_FIELDS = Formatter()
_COURSE_PARTS = frozenset({"hint", "heard", "not_yet", "reason", "ask"})
_FROM_COURSE = 10
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n+")
WORDS_OF_A_SENTENCE = 4
"""Shorter sentences, such as “Not yet.”, may come again soon."""


class Spoken(Protocol):
    """What a wording is chosen by: the facts of a turn."""

    @property
    def seed(self) -> int: ...
    @property
    def told(self) -> tuple[str, ...]:
        """The tutor's messages of the last turns, oldest first."""


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


def render_move(
    move: Move, *, seed: int, words: WordingParts | None = None, told: Sequence[str] = (), attempt: int = 0
) -> str:
    """Return what to say for the move, the same for the same seed, as Markdown; the caller adds pictures.

    The wordings that use the most of `words` are preferred, and those that were not told a moment ago. A course's hint
    is said in full, so rungs 4 and 5 may be longer than sixty words: then the framing is left out, never the hint.
    `attempt` 1 gives the second choice.
    """
    parts = _parts(words or WordingParts())
    fitting: list[str] = []
    for chosen in _usable_wordings(WORDINGS[move.id], parts=parts):
        said = [capitalize_sentence(gettext(wording).format(**parts)) for wording in chosen]
        fitting += _freshest_first([text for text in said if is_speakable(text)], seed=seed, told=told)
    fitting = _freshest_first(fitting, told=told) or [parts["hint"].strip() or parts["ask"] or fallback_words(move)]
    return fitting[attempt % len(fitting)]


def pick_wording(wordings: Sequence[str], facts: Spoken, **names: str) -> str:
    """Return one of several wordings with its names filled in: one that was not told a moment ago, if there is one."""
    return freshest([gettext(wording) % names if names else gettext(wording) for wording in wordings], facts)


def freshest(texts: Sequence[str], facts: Spoken) -> str:
    """Return the text that was told longest ago; of those never told, the seed's."""
    return _freshest_first(texts, seed=facts.seed, told=facts.told)[0]


def was_told(text: str, facts: Spoken) -> bool:
    """Tell whether a text was told whole a moment ago."""
    return any(text in each for each in facts.told)


def unless_told(text: str, facts: Spoken) -> str:
    """Return a text that can be left out; empty if one of its sentences was told a moment ago."""
    return "" if _last_told(text, facts.told) else text


def _freshest_first(texts: Sequence[str], *, seed: int = 0, told: Sequence[str]) -> list[str]:
    """Return texts from the seed's one on; those of which a sentence was told come last, the latest told at the end."""
    first = seed % len(texts) if texts else 0
    return sorted((*texts[first:], *texts[:first]), key=lambda text: _last_told(text, told))


def _last_told(text: str, told: Sequence[str]) -> int:
    """Return the number of the latest message, from 1, that has a sentence of the text; 0 if none has."""
    found = [each for each in _SENTENCE_END.split(text) if len(each.split()) >= WORDS_OF_A_SENTENCE]
    return max((at for at, message in enumerate(told, 1) if any(each in message for each in found)), default=0)


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
    return WORTH_QUOTING <= len(text.split()) <= REPEATED_WORDS and not quote_words(text).endswith("…")


def sayable_answer(answer: str) -> str:
    """Return an answer that can be repeated in a sentence; "" for one that is long or full of signs."""
    answer = " ".join(answer.split())
    answer = answer.rstrip(".") if len(answer) <= ANSWER_LENGTH and _SAYABLE.fullmatch(answer) else ""
    return _MINUS.sub("−", answer)


def _parts(words: WordingParts) -> dict[str, str]:
    return {
        "answer": sayable_answer(words.answer),
        "quote": quote_words(words.quote),
        # A program is a paragraph of its own.
        "hint": f"\n\n{words.hint.strip()}" if words.hint.strip().startswith("```") else words.hint.strip(),
        "heard": words.heard.strip(),
        "not_yet": words.not_yet.strip(),
        "reason": words.reason.strip(),
        "concept": words.concept.strip(),
        "prerequisite": words.prerequisite.strip(),
        "ask": words.ask.strip(),
    }


def _usable_wordings(wordings: Sequence[str], *, parts: Mapping[str, str]) -> list[list[str]]:
    """Return the wordings that miss nothing, by how much of the given parts they use; a course's own words must be in."""
    fields = {wording: {field[1] for field in _FIELDS.parse(wording) if field[1]} for wording in wordings}
    worth = {
        wording: sum(_FROM_COURSE if name in _COURSE_PARTS else 1 for name in names)
        for wording, names in fields.items()
        if all(parts[name] for name in names)
    }
    most = max(worth.values(), default=0)
    kept = sorted({each for each in worth.values() if each // _FROM_COURSE == most // _FROM_COURSE}, reverse=True)
    return [[wording for wording, own in worth.items() if own == each] for each in kept]


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
