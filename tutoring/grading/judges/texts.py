"""Judge a short text by the ideas it should hold, or by how much of a reference answer it covers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tutoring.grading.keys import Idea, TextKey
from tutoring.grading.language.patterns import matches_pattern
from tutoring.grading.language.reference_answers import Embed, chance_right, measure_likeness
from tutoring.grading.parsing.interpretations import without_blanks
from tutoring.grading.verdicts import Judgement, Verdict, judged

CORRECT_FROM = 0.75
PARTIAL_FROM = 0.4
LIKELY_CORRECT_FROM = 0.5
LIKELY_PARTIAL_FROM = 0.35
CONTRADICTED = 0.2
"""How likely people would call an answer right that says the opposite of a reference."""


COVERED = 0.75
"""Share of ideas, by weight, from which they count as said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the weight of some ideas a text says (0–1), and which ideas by name."""

    share: float
    said: tuple[str, ...]
    missing: tuple[str, ...]


def idea_coverage(ideas: Sequence[Idea], text: str) -> Coverage:
    """Return which ideas a text says; a negated idea is not said."""
    said = [idea for idea in ideas if any(matches_pattern(pattern, text) for pattern in idea.any)]
    weight = sum(idea.weight for idea in ideas)
    return Coverage(
        share=sum(idea.weight for idea in said) / weight if weight else 0.0,
        said=tuple(_name_of(idea) for idea in said),
        missing=tuple(_name_of(idea) for idea in ideas if idea not in said),
    )


def _name_of(idea: Idea) -> str:
    return idea.name or next(iter(idea.any), "")


def judge_text(key: TextKey, answer: str, *, embed: Embed | None = None) -> Judgement:
    """Return the judgement of a text: by its ideas where the key has some, else by the reference answers.

    Judged by reference answers the score is the chance that people would call it right; `embed` lets meanings be compared,
    not words alone. The opposite of a reference is wrong.
    """
    if not any(character.isalnum() for character in answer):
        return judged("unparsable", "empty")
    judgement = _by_ideas(key, answer) if key.ideas else _by_references(key, answer, embed)
    if any(matches_pattern(pattern, answer) for pattern in key.contradicts):
        verdict: Verdict = "partial" if judgement.is_correct else "wrong"
        return replace(judgement, verdict=verdict, score=min(judgement.score, 0.5), reason="contradicts")
    return judgement


def _by_ideas(key: TextKey, answer: str) -> Judgement:
    covered = idea_coverage(key.ideas, answer)
    verdict = _verdict_of(covered.share, correct_from=CORRECT_FROM, partial_from=PARTIAL_FROM)
    return Judgement(verdict=verdict, score=round(covered.share, 3), missing=covered.missing)


def _by_references(key: TextKey, answer: str, embed: Embed | None) -> Judgement:
    if any(without_blanks(answer).casefold() == without_blanks(text).casefold() for text in key.references):
        return Judgement(verdict="correct", score=1.0, confidence=1.0)
    found = measure_likeness(answer, references=key.references, question=key.question, embed=embed)
    if found.contradicts:
        return Judgement(
            verdict="wrong", score=CONTRADICTED, reason="contradicts", confidence=round(1 - CONTRADICTED, 3)
        )
    chance = chance_right(found, by_meaning=embed is not None)
    verdict = _verdict_of(chance, correct_from=LIKELY_CORRECT_FROM, partial_from=LIKELY_PARTIAL_FROM)
    return Judgement(verdict=verdict, score=round(chance, 3), confidence=round(max(chance, 1 - chance), 3))


def _verdict_of(score: float, *, correct_from: float, partial_from: float) -> Verdict:
    if score >= correct_from:
        return "correct"
    return "partial" if score >= partial_from else "wrong"


def plain_coverage(ideas: Sequence[Idea], *, text: str) -> tuple[float, tuple[str, ...]]:
    """Return the share (0–1, by weight) of the ideas that a plain text says, and the names of the others."""
    said = idea_coverage(ideas, text)
    return said.share, said.missing
