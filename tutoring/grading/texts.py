"""Judge a short text by the ideas it should hold, or by how much of a reference answer it covers."""

from collections.abc import Sequence
from dataclasses import dataclass

from .keys import Idea, TextKey
from .patterns import says
from .readings import squeezed
from .references import likeness
from .verdicts import Judgement, Verdict, judged

CORRECT_FROM = 0.75
PARTIAL_FROM = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the weight of some ideas a text says (0–1), and which ideas by name."""

    share: float
    said: tuple[str, ...]
    missing: tuple[str, ...]


def coverage(ideas: Sequence[Idea], text: str) -> Coverage:
    """Return which ideas a text says; a negated idea is not said."""
    said = [idea for idea in ideas if any(says(pattern, text) for pattern in idea.any)]
    weight = sum(idea.weight for idea in ideas)
    return Coverage(
        share=sum(idea.weight for idea in said) / weight if weight else 0.0,
        said=tuple(_name_of(idea) for idea in said),
        missing=tuple(_name_of(idea) for idea in ideas if idea not in said),
    )


def _name_of(idea: Idea) -> str:
    return idea.name or next(iter(idea.any), "")


def judge_text(key: TextKey, answer: str) -> Judgement:
    """Return the judgement of a text: by its ideas where the key has some, else by the reference answers."""
    if not any(character.isalnum() for character in answer):
        return judged("unparsable", "empty")
    if key.ideas:
        covered = coverage(key.ideas, answer)
        share, missing = covered.share, covered.missing
    else:
        word_for_word = any(squeezed(answer).casefold() == squeezed(text).casefold() for text in key.references)
        share = 1.0 if word_for_word else likeness(answer, references=key.references, question=key.question)
        missing = ()
    if any(says(pattern, answer) for pattern in key.contradicts):
        verdict: Verdict = "partial" if share >= CORRECT_FROM else "wrong"
        return Judgement(verdict=verdict, score=min(share, 0.5), missing=missing, reason="contradicts")
    return Judgement(verdict=_verdict_of(share), score=round(share, 3), missing=missing)


def _verdict_of(share: float) -> Verdict:
    if share >= CORRECT_FROM:
        return "correct"
    return "partial" if share >= PARTIAL_FROM else "wrong"
