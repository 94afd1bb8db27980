"""What the teaching roles say, held back where it would give the open question's answer away."""

from collections.abc import Callable
from functools import partial

from agents.roles import Wording
from tutoring.courses.catalogue import Blocks
from tutoring.roles.facts import LessonFacts
from tutoring.rules import leaks, wording
from tutoring.rules.manners import problem_in
from tutoring.rules.moves import LAST_RUNG, Move
from tutoring.rules.tasks import task_for
from tutoring.rules.wording import Words, render

MOST_WORDS = 75
"""A model asked for sixty words may finish its sentence."""


def worded(facts: LessonFacts, move: Move, words: Words) -> Wording:
    """Return the move's words, and what a model is told to find better ones."""
    return for_model(facts, rendered(facts, move, words), move, words)


def for_model(facts: LessonFacts, text: str, move: Move, words: Words) -> Wording:
    """Return a text for the move as a wording that a model may find instead; its questions are as many as the text's."""
    questions = text.count("?")
    return Wording(
        words=text,
        task=task_for(move.id, words, asks=questions > 0),
        guard=partial(problem, facts=facts, rung=move.rung, questions=questions),
        most_words=MOST_WORDS,
        may_use_tools=move.id == "answer_question",
    )


def problem(text: str, *, facts: LessonFacts, rung: int, questions: int) -> str:
    """Return in a word why a model's words must not be shown: `leak`, or what no tutor says; empty if they may be."""
    instance = facts.open_instance
    if instance is not None and rung < LAST_RUNG and leaks.leaks(text, instance, facts.said_before):
        return "leak"
    return problem_in(text, questions=questions)


def rendered(facts: LessonFacts, move: Move, words: Words) -> str:
    """Return the move's words by the turn's seed."""
    return safe(facts, lambda again: render(move, seed=facts.seed + again, words=words), move)


def safe(facts: LessonFacts, rendering: Callable[[int], str], move: Move) -> str:
    """Return the first rendering that gives nothing away, else general words for the move."""
    return leaks.guarded(rendering, facts.open_instance, facts.said_before, wording.fallback(move), rung=move.rung)


def harmless_blocks(facts: LessonFacts, blocks: Blocks) -> Blocks:
    """Return a contrast case's blocks, or words without its numbers where they give an open answer away."""
    return leaks.harmless(blocks, facts.open_instance, facts.said_before)
