"""What the teaching roles say, held back where it would give the open question's answer away."""

from collections.abc import Callable

from tutoring.courses.catalogue import Blocks
from tutoring.roles.facts import LessonFacts
from tutoring.rules import leaks, wording
from tutoring.rules.moves import Move
from tutoring.rules.wording import Words, render


def rendered(facts: LessonFacts, move: Move, words: Words) -> str:
    """Return the move's words by the turn's seed."""
    return safe(facts, lambda again: render(move, seed=facts.seed + again, words=words), move)


def safe(facts: LessonFacts, rendering: Callable[[int], str], move: Move) -> str:
    """Return the first rendering that gives nothing away, else general words for the move."""
    return leaks.guarded(rendering, facts.open_instance, facts.said_before, wording.fallback(move), rung=move.rung)


def harmless_blocks(facts: LessonFacts, blocks: Blocks) -> Blocks:
    """Return a contrast case's blocks, or words without its numbers where they give an open answer away."""
    return leaks.harmless(blocks, facts.open_instance, facts.said_before)
