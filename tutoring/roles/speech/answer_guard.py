"""Guards what the teaching roles say: holds back what would give the open question's answer away."""

from collections.abc import Callable
from functools import partial

from django.utils.translation import gettext as _

from agents.engine.roles import Wording
from tutoring.courses.catalogue import Blocks, Misconception
from tutoring.courses.hint_ladder import LAST_RUNG, WORKED_RUNG
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.moves import Move
from tutoring.output_checks.answer_leak_guard import OpenQuestion, find_leak
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.roles.wording import renderer
from tutoring.roles.wording.move_instructions import move_instruction
from tutoring.roles.wording.renderer import WordingParts, render_move

MOST_WORDS = 75
"""A model asked for sixty words may finish its sentence."""


def guarded_wording(facts: LessonFacts, move: Move, words: WordingParts) -> Wording:
    """Return the move's authored words as a wording that a model may replace."""
    return model_wording(facts, guarded_text(facts, move, words), move, words)


def model_wording(facts: LessonFacts, text: str, move: Move, words: WordingParts) -> Wording:
    """Return a text for the move as a wording that a model may replace; it may ask as many questions as the text."""
    questions = text.count("?")
    question = open_question(facts) if move.rung < LAST_RUNG else None
    supplied = (text, words.hint, words.heard, words.not_yet, words.ask, words.concept, words.prerequisite)
    return Wording(
        words=text,
        task=move_instruction(move.id, words, asks=questions > 0),
        guard=partial(find_problem, question=question.supplying(*supplied) if question else None, questions=questions),
        most_words=MOST_WORDS,
        may_use_tools=move.id == "answer_question",
    )


def find_problem(text: str, *, question: OpenQuestion | None, questions: int) -> str:
    """Return in one word why a model's words must not be shown (`leak`, or a policy problem); empty if they may be."""
    if question is not None and find_leak(text, question):
        return "leak"
    return find_policy_problem(text, questions=questions)


def guarded_text(facts: LessonFacts, move: Move, words: WordingParts) -> str:
    """Return the move's words for the turn's seed."""

    def rendering(attempt: int) -> str:
        return render_move(move, seed=facts.seed, words=words, told=facts.told, attempt=attempt)

    return first_safe(facts, rendering, move)


def first_safe(facts: LessonFacts, rendering: Callable[[int], str], move: Move) -> str:
    """Return the first rendering that gives nothing away, otherwise general words for the move."""
    return renderer.render_without_answer(
        rendering, facts.open_instance, facts.said_before, renderer.fallback_words(move), rung=move.rung
    )


def safe_blocks(facts: LessonFacts, blocks: Blocks) -> Blocks:
    """Return a contrast case's blocks, or words without its numbers if they give an open answer away."""
    return renderer.blocks_without_answer(blocks, facts.open_instance, facts.said_before)


def is_case_safe(facts: LessonFacts, misconception: Misconception) -> bool:
    """Tell whether a misconception's case can be shown whole: one that gives the open answer away cannot."""
    blocks = misconception.contrast.blocks
    return safe_blocks(facts, blocks) == blocks


def answer_beside(facts: LessonFacts) -> str:
    """Return the course's answer to a question that was asked beside an answer; empty if it gives the open one away."""
    known = facts.course_answer
    return known.says if known is not None and safe_blocks(facts, (known.says,)) == (known.says,) else ""


def wrong_step(facts: LessonFacts) -> str:
    """Return which calculation of a wrong answer is wrong; empty for none."""
    statement = facts.served.statement
    return _("Work out this step again: %(step)s.") % {"step": f"`{statement}`"} if statement else ""


def was_case_told(facts: LessonFacts, misconception: Misconception) -> bool:
    """Tell whether the misconception's case was shown a moment ago."""
    first = next((each for each in misconception.contrast.blocks if isinstance(each, str)), "")
    return bool(first) and renderer.was_told(first, facts)


def open_question(facts: LessonFacts) -> OpenQuestion | None:
    """Return the open question, with what was said and shown beside it; None while none is open."""
    asked = facts.asked
    if asked is None or not asked.is_open:
        return None
    hints = asked.instance.hints[: min(asked.hints_used, WORKED_RUNG)]
    case = facts.misconception(facts.lesson.contrast)
    blocks = safe_blocks(facts, case.contrast.blocks) if case is not None else ()
    shown = (block for block in blocks if isinstance(block, str))
    return OpenQuestion(instance=asked.instance, said=(*facts.said_before, facts.text), supplied=(*hints, *shown))
