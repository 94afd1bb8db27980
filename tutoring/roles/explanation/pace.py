"""What the pace asks of a turn: a smaller step, another picture, something harder. Nobody is told how they feel."""

from collections.abc import Sequence
from typing import Literal

from django.utils.translation import gettext as _

from tutoring.courses.catalogue import Blocks, LessonPiece
from tutoring.courses.pictures import Picture
from tutoring.lesson.facts import LessonFacts
from tutoring.roles.speech.answer_guard import safe_blocks

type PaceRequest = Literal["", "simplify", "represent", "break_choice"]

_REQUEST_BY_ACT: dict[str, PaceRequest] = {
    "example": "simplify",
    "stuck": "simplify",
    "other_picture": "represent",
    "harder": "break_choice",
}
"""What a message does → what it asks of the pace."""
STUCK_AFTER = 2
"""How often the answer is asked for or not known before a worked example is shown."""
EASABLE_MOVES = frozenset({"not_yet", "ask_attempt", "decline_answer", "continue_lesson", "probe_reasoning"})
"""Tutor moves that a smaller step may replace."""
SKIPPABLE_MOVES = frozenset({"not_yet", "continue_lesson"})
"""Tutor moves that something harder may replace."""


def requested_pace(facts: LessonFacts) -> PaceRequest:
    """Return what the learner's message asks of the pace; empty for nothing."""
    if facts.act in ("does_not_know", "answer_demand") and facts.lesson.demands + facts.lesson.unknowns == STUCK_AFTER:
        return "simplify"
    return _REQUEST_BY_ACT.get(facts.act, "")


def smaller_step(
    facts: LessonFacts, explained: Sequence[str], *, pictured: bool = False, worked: bool = False
) -> LessonPiece | None:
    """Return what to say instead of the next step: a worked example not seen yet, otherwise a beginner's piece.

    With `pictured`, only pieces with a picture; with `worked`, only examples that give no open answer away.
    """
    pool = unseen_examples(facts, explained, worked=worked)
    if not worked:
        pool = (*pool, *_unseen(facts, explained, facts.concept.pieces["beginner"]))
    return next((piece for piece in pool if not pictured or _has_picture(piece)), None)


def unseen_examples(facts: LessonFacts, explained: Sequence[str], *, worked: bool) -> tuple[LessonPiece, ...]:
    """Return the worked examples not seen yet; with `worked`, those that may stand beside an open question."""
    unseen = _unseen(facts, explained, facts.concept.examples)
    return tuple(each for each in unseen if not worked or _may_stand_beside(facts, each))


def _unseen(facts: LessonFacts, explained: Sequence[str], pieces: Sequence[LessonPiece]) -> tuple[LessonPiece, ...]:
    return tuple(each for each in pieces if each.id not in explained and each.id not in facts.examples_shown)


def _may_stand_beside(facts: LessonFacts, example: LessonPiece) -> bool:
    """Tell whether an example is one without its question, and gives no open answer away."""
    blocks = without_question(example)
    # A step's lead says nothing without its question.
    return example.step is None and safe_blocks(facts, blocks) == blocks


def _has_picture(piece: LessonPiece) -> bool:
    return any(isinstance(block, Picture) for block in piece.blocks)


def without_question(piece: LessonPiece) -> Blocks:
    """Return an example without its final question and the lead-up to it, because another question is open."""
    return tuple(block for block in piece.blocks if isinstance(block, Picture) or piece.question not in block)


def reply_options(*, in_quiz: bool) -> list[str]:
    """Return what the learner may want to say now, as button labels."""
    if in_quiz:
        return [_("A hint, please"), _("I don’t know"), _("That’s enough for today")]
    return [_("Show me an example"), _("Let me try one"), _("That’s enough for today")]
