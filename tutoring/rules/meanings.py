"""How likely a message says an idea of a milestone, whatever its words: for wordings that no pattern of the course knows.

A course has plain wordings of each idea, and what says the opposite. A message's clauses are compared with them by the
sentence model. Within a milestone all sentences are alike, since they are about one thing: what they share is taken
off first. A few likenesses, weighed, are the log odds that the idea is said.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from agents import embeddings
from agents.errors import EmbeddingsMissing
from tutoring.courses.catalogue import Milestone, Wordings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Rows = NDArray[np.float32]

CLAUSES: Final = 3
"""Of a message, the first ones; each costs a millisecond and more."""
FEWEST_WORDS: Final = 3
"""A shorter clause belongs to the next one."""

# Fitted to tests/tutoring/hub/milestone_ideas.jsonl, by tests/tutoring/hub/calibrating.py.
WEIGHTS: Final[Mapping[str, float]] = {
    "like": 1.52, "beside opposite": 0.7, "beside question": 0.49, "bias": -1.24,
}  # fmt: skip

_CLAUSE_ENDS = re.compile(
    r"[,;\n]|\b(?:but|so|or|and|then|still|though|although|because|cause|cuz|cos|otherwise|when|if)\b"
)
_ENDS: Final = " .,;!"
# To the sentence model "you can't cut it" is much like "you cut it". Beside a condition or a reason it may be the idea itself.
_DENIED = re.compile(
    r"\b(?:should|could|would|do|does|did|can|may|must|is|are|ca|wo)(?:n'?t| not| never)\b|\bnever\b|\bcannot\b"
)
_ARGUED = re.compile(r"\b(?:if|when|unless|otherwise|else|because|cause|cuz|cos|since|until|but|so)\b")
# To the sentence model "bigger" is much like "smaller" too: pairs of what turns an idea round.
_WAYS = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (r"\b(?:bigger|larger|greater|longer|wider|fatter|thicker|grow(?:s|n|ing)?|grew|increas\w+)\b",
         r"\b(?:smaller|tinier|less|shorter|narrower|thinner|littler|shr[iau]nk(?:s|ing)?|decreas\w+)\b"),
        (r"\b(?:more|twice as many)\b", r"\b(?:fewer|half as many)\b"),
        (r"\b(?:same|equal(?:ly)?|alike|match)\b|\bas (?:big|much|many)\b", r"\b(?:different(?:ly)?|unequal|uneven|unlike)\b"),
    )
)  # fmt: skip


def load(milestone: Milestone) -> None:
    """Read the milestone's wordings now: 30 ms that its first message need not wait for."""
    if milestone.wordings:
        with suppress(EmbeddingsMissing):
            _known(milestone.wordings, milestone.ask)


def log_odds(milestone: Milestone, own: str) -> tuple[float, ...]:
    """Return for each idea of a milestone the log odds that a message says it, without regard to patterns.

    `own` is what the message says in words of one's own, a plain sentence a line. Empty where the milestone's ideas have no
    wordings, or without the sentence model; 0 for an idea that the message turns round, if anything. A new message takes about 4 ms,
    a new milestone 30 ms once.
    """
    return tuple(map(_weighed, features(milestone, own)))


def features(milestone: Milestone, own: str) -> tuple[Mapping[str, float], ...]:
    """Return for each idea what speaks for its being said, in tenths of a cosine; nothing for one turned round; empty as above."""
    clauses = tuple(_clauses(own))
    if not clauses or not milestone.wordings:
        return ()
    try:
        return _features(milestone.wordings, milestone.ask, clauses)
    except EmbeddingsMissing:
        return ()


def _weighed(found: Mapping[str, float]) -> float:
    if not found:
        return 0.0
    return WEIGHTS["bias"] + sum(WEIGHTS[name] * value for name, value in found.items())


@lru_cache(maxsize=1024)
def _features(wordings: tuple[Wordings, ...], ask: str, clauses: tuple[str, ...]) -> tuple[Mapping[str, float], ...]:
    rows, (centre, asked, ideas) = _rows(clauses), _known(wordings, ask)
    found = []
    for (said, against), each in zip(ideas, wordings, strict=True):
        ways = _ways(" ".join(each.said))
        places = [place for place, clause in enumerate(clauses) if not _is_turned(_ways(clause), ways)]
        found.append(_likenesses(rows[places], said, against, centre=centre, asked=asked) if places else {})
    return tuple(found)


def _likenesses(rows: "Rows", said: "Rows", against: "Rows", *, centre: "Rows", asked: "Rows") -> Mapping[str, float]:
    """Return what speaks for an idea: its likeness at large, and beside its opposite and the question, to the nearest wording."""
    near = (rows @ said.T).max(axis=1)
    nearest = int(near.argmax())
    opposite = (rows[nearest] @ against.T).max() if len(against) else near[nearest] - _NO_OPPOSITE
    like = (_apart(rows, centre) @ _apart(said, centre).T).mean(axis=1).max()
    return {
        "like": 10 * float(like),
        "beside opposite": 10 * float(near[nearest] - opposite),
        "beside question": 10 * float(near[nearest] - rows[nearest] @ asked),
    }


_NO_OPPOSITE: Final = 0.05
"""How much nearer the idea counts to be than its opposite, where none is written."""


def _ways(text: str) -> tuple[int, ...]:
    """Return for each pair 1 for the one, -1 for the other, 0 for neither or both."""
    return tuple(bool(one.search(text)) - bool(other.search(text)) for one, other in _WAYS)


def _is_turned(ways: Sequence[int], others: Sequence[int]) -> bool:
    return any(way * other < 0 for way, other in zip(ways, others, strict=True))


def _apart(rows: "Rows", centre: "Rows") -> "Rows":
    import numpy as np

    moved = rows - centre
    apart: Rows = moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-6)
    return apart


@lru_cache(maxsize=128)
def _rows(clauses: tuple[str, ...]) -> "Rows":
    """Return the rows of a message's clauses: every milestone of a lesson asks for them."""
    return embeddings.embed_clauses(clauses)


@lru_cache(maxsize=256)
def _known(wordings: tuple[Wordings, ...], ask: str) -> "tuple[Rows, Rows, tuple[tuple[Rows, Rows], ...]]":
    """Return what all wordings of a milestone share, its question, and for each idea its wordings and its opposites."""
    texts = [text for each in wordings for text in (*each.said, *each.against)]
    rows = embeddings.embed((*texts, ask))
    place, ideas = 0, []
    for each in wordings:
        end = place + len(each.said)
        ideas.append((rows[place:end], rows[end : end + len(each.against)]))
        place = end + len(each.against)
    return rows[:-1].mean(axis=0), rows[-1], tuple(ideas)


def _clauses(own: str) -> Iterator[str]:
    """Yield the first clauses of a message that deny nothing, short ones together with what follows."""
    found: list[str] = []
    for part in (each.strip(_ENDS) for each in _CLAUSE_ENDS.split(own)):
        if found and len(found[-1].split()) < FEWEST_WORDS:
            found[-1] = f"{found[-1]} {part}".strip()
        elif part:
            found.append(part)
    if len(found) > 1 and len(found[-1].split()) < FEWEST_WORDS:
        last = found.pop()
        found[-1] = f"{found[-1]} {last}"
    yield from islice((each for each in found if _ARGUED.search(own) or not _DENIED.search(each)), CLAUSES)
