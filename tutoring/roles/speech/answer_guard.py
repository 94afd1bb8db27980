"""What the teaching roles say, held back where it would give the open question's answer away."""

from collections.abc import Callable
from functools import partial

from agents.engine.roles import Wording
from tutoring.courses.catalogue import Blocks
from tutoring.lesson.facts import LessonFacts
from tutoring.rules import giving_away, wording
from tutoring.rules.leaks import OpenQuestion, leaks
from tutoring.rules.manners import problem_in
from tutoring.rules.moves import LAST_RUNG, Move
from tutoring.rules.tasks import task_for
from tutoring.rules.wording import Words, render

MOST_WORDS = 75
"""A model asked for sixty words may finish its sentence."""


def open_question(facts: LessonFacts) -> OpenQuestion | None:
    """Return the question that waits for an answer, with what was said and shown beside it; None while none is open."""
    asked = facts.asked
    if asked is None or not asked.is_open:
        return None
    hints = asked.instance.hints[: min(asked.hints_used, LAST_RUNG - 1)]
    case = facts.misconception(facts.lesson.contrast)
    blocks = safe_blocks(facts, case.contrast.blocks) if case is not None else ()
    shown = (block for block in blocks if isinstance(block, str))
    return OpenQuestion(instance=asked.instance, said=(*facts.said_before, facts.text), supplied=(*hints, *shown))


def guarded_wording(facts: LessonFacts, move: Move, words: Words) -> Wording:
    """Return the move's words, and what a model is told to find better ones."""
    return model_wording(facts, guarded_text(facts, move, words), move, words)


def model_wording(facts: LessonFacts, text: str, move: Move, words: Words) -> Wording:
    """Return a text for the move as a wording that a model may find instead; its questions are as many as the text's."""
    questions = text.count("?")
    question = open_question(facts) if move.rung < LAST_RUNG else None
    supplied = (text, words.hint, words.heard, words.not_yet, words.ask, words.concept, words.prerequisite)
    return Wording(
        words=text,
        task=task_for(move.id, words, asks=questions > 0),
        guard=partial(find_problem, question=question.supplying(*supplied) if question else None, questions=questions),
        most_words=MOST_WORDS,
        may_use_tools=move.id == "answer_question",
    )


def find_problem(text: str, *, question: OpenQuestion | None, questions: int) -> str:
    """Return in a word why a model's words must not be shown: `leak`, or what no tutor says; empty if they may be."""
    if question is not None and leaks(text, question):
        return "leak"
    return problem_in(text, questions=questions)


def guarded_text(facts: LessonFacts, move: Move, words: Words) -> str:
    """Return the move's words by the turn's seed."""
    return first_safe(facts, lambda again: render(move, seed=facts.seed + again, words=words), move)


def first_safe(facts: LessonFacts, rendering: Callable[[int], str], move: Move) -> str:
    """Return the first rendering that gives nothing away, else general words for the move."""
    return giving_away.guarded(
        rendering, facts.open_instance, facts.said_before, wording.fallback(move), rung=move.rung
    )


def safe_blocks(facts: LessonFacts, blocks: Blocks) -> Blocks:
    """Return a contrast case's blocks, or words without its numbers where they give an open answer away."""
    return giving_away.harmless(blocks, facts.open_instance, facts.said_before)
