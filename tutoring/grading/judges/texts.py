"""Grades short texts by their ideas, or by reference answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tutoring.grading.keys import Idea, TextKey
from tutoring.grading.language.patterns import matches_pattern
from tutoring.grading.language.reference_answers import Embed, chance_right, measure_likeness
from tutoring.grading.parsing.interpretations import without_blanks
from tutoring.grading.verdicts import Judgement, Verdict, judged

# Three quarters of the ideas' weight, so that one minor idea may be missing. Chosen by hand; on 158 answers to
# Fractions all are graded as labelled, but the ideas were written with them.
CORRECT_FROM = 0.75
# One of two equal ideas is partly right. Chosen by hand.
PARTIAL_FROM = 0.4
# By references the score is a fitted probability, so even odds decide; .35 for partly is chosen by hand.
LIKELY_CORRECT_FROM = 0.5
LIKELY_PARTIAL_FROM = 0.35
# A guess that one in five such answers is a rephrasing; not fitted.
CONTRADICTED = 0.2
"""Probability that an answer is right that contradicts its reference."""


# The same share as CORRECT_FROM, so that hints, milestones and grades agree on what has been said.
COVERED = 0.75
"""Share of the ideas' weight from which they count as stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The share of the ideas' weight that a text states (0–1), and the names of the stated and missing ideas."""

    share: float
    said: tuple[str, ...]
    missing: tuple[str, ...]


def idea_coverage(ideas: Sequence[Idea], text: str) -> Coverage:
    """Return which ideas a text states; a negated idea is not stated."""
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
    """Return the judgement of a text: by the key's ideas if it has some, else by the reference answers.

    By references, the score is the probability that people would call it right; with `embed` meanings are compared too.
    The opposite of a reference is wrong.
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
    """Return the share (0–1, by weight) of the ideas that a plain text states, and the names of the others."""
    said = idea_coverage(ideas, text)
    return said.share, said.missing
