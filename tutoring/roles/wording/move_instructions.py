"""The instruction for a model, by move. Rules have chosen the move before.

Moves that are not here are always said in authored words: worked examples and solutions, because their mathematics is
checked, and the few words that only lead from one card to the next.

Each instruction says once whether the reply asks something; no other line of it may.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tutoring.lesson.moves import MoveId
from tutoring.roles.wording.renderer import WordingParts


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveInstruction:
    """The instruction for a move."""

    line: str
    """What to do if the reply ends on a question."""
    about: str = ""
    """What its question is about; empty for a move that never ends on one of its own."""
    told: str = ""
    """What to do if the reply asks nothing; empty if `line` serves for both."""
    parts: tuple[str, ...] = ("hint", "answer", "reason")
    """Which of the wording's parts the model is given, by their names in `WordingParts`."""


INSTRUCTION_BY_MOVE: Final[Mapping[MoveId, MoveInstruction]] = {
    "ask_attempt": MoveInstruction(
        line="Invite a first step, even a guess. Give no hint.", about="what the learner would try first"
    ),
    "probe_reasoning": MoveInstruction(
        line="Be curious about how the learner thinks. Do not say yet whether anything is wrong.",
        about="how they got there, or what made them think so",
        told="Respond to what the learner said, without saying yet whether it is wrong, and name what to compare it with.",
        parts=("answer", "holds", "not_yet"),
    ),
    "focus_step": MoveInstruction(
        line="Point to the one feature of the question to look at, without naming an operation or a result.",
        about="what they see there",
    ),
    "hint_principle": MoveInstruction(
        line="Name the idea behind the question, and leave its use to the learner.", about="where that idea fits here"
    ),
    "hint_substep": MoveInstruction(
        line="Make the question smaller: one step on the way, and nothing beyond it.",
        about="that smaller step",
        told="Name one smaller step on the way, and leave it to the learner.",
    ),
    "contrast_case": MoveInstruction(
        line="Do not say that the idea is wrong. Let the learner test it on the case given, where it breaks.",
        about="what happens in that case",
    ),
    "self_explain": MoveInstruction(
        line="Say that the answer is right.",
        about="why it works",
        told="Say that the answer is right, and suggest thinking about why.",
        parts=("answer", "reason", "heard"),
    ),
    "affirm_specific": MoveInstruction(
        line="Say that it is right, and name the step that the learner took. One or two sentences.",
        about="what they notice next",
        parts=("answer", "reason", "heard"),
    ),
    "simplify": MoveInstruction(
        line="Respond to the difficulty without naming a feeling, and offer a smaller step or another way to look at it.",
        about="which of the two they would like",
        told="Respond to the difficulty without naming a feeling, and say that a smaller step comes next.",
    ),
    "represent": MoveInstruction(
        line="Suggest a drawing, or another picture to look at.",
        about="what they would draw first",
        told="Suggest a drawing, or another picture to look at.",
    ),
    "break_choice": MoveInstruction(
        line="Offer a choice: something harder, something different, or a short break.",
        about="which one they would like",
        told="Say that the learner may choose: something harder, something different, or a short break.",
    ),
    "summarise_retrieve": MoveInstruction(
        line="Let the learner sum up before you do.",
        about="what they would say is the main thing, in their own words",
        told="Invite the learner to sum up first, in their own words.",
    ),
    "decline_answer": MoveInstruction(
        line="Do not give the answer. Say so kindly, and give the next small step instead.",
        about="that step",
        parts=("hint", "answer", "not_yet"),
    ),
    "ask_form": MoveInstruction(
        line="Say that the value is right, and that the question asks for another form.",
        about="how they would write it in that form",
    ),
    "answer_question": MoveInstruction(
        line="Answer the learner's question briefly, from the lesson. If it goes beyond the lesson, say what you know and what "
        "you do not.",
        about="what leads back to the lesson",
    ),
    "not_yet": MoveInstruction(
        line="The reply does not show the idea yet. Respond to what is in it, and say what may help to see more.",
        about="what they see when they look again",
        parts=("not_yet",),
    ),
    "welcome": MoveInstruction(line="Greet the learner in one sentence.", about="what they would like to look at"),
    "farewell": MoveInstruction(
        line="Say goodbye in one to three short sentences: what the learner did here, if that is given, and that everything "
        "is saved.",
        about="what they will remember",
    ),
}

ON_CARD: Final = (
    "Say that the answer is not right yet, and point to the hint on the card, without repeating it or adding to it."
)
"""The instruction for a hint that the card shows already."""
RUNG_INSTRUCTIONS: Final[frozenset[MoveId]] = frozenset({"focus_step", "hint_principle", "hint_substep"})

_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+")
_PARTS: Final[Mapping[str, str]] = {
    "hint": "Say this, in your own words, and nothing that goes beyond it",
    "answer": "The learner's answer",
    "heard": "What the learner has understood",
    "holds": "This part of it is right, and you may say so; what is missing is the reason, or a part",
    "not_yet": "What may help",
    "reason": "Why it is right",
}
"""The label under which a model is given each part."""


def move_instruction(move: MoveId, words: WordingParts, *, asks: bool) -> str:
    """Return the instruction for a model; empty for a move said in authored words. `asks`: it ends on a question."""
    task = INSTRUCTION_BY_MOVE.get(move)
    if task is None:
        return ""
    return "\n".join(
        (
            f"{move}. {_line(move, task, words, asks=asks)}",
            *_given(task, words, asks=asks),
            _end(task, words, asks=asks),
        )
    )


def _line(move: MoveId, task: MoveInstruction, words: WordingParts, *, asks: bool) -> str:
    if move in RUNG_INSTRUCTIONS and not words.hint:
        return ON_CARD
    return task.line if asks else task.told or task.line


def _given(task: MoveInstruction, words: WordingParts, *, asks: bool) -> Iterator[str]:
    """Yield the parts that the model is given, no text twice; without their questions if it is to ask nothing."""
    given: set[str] = set()
    for name in task.parts:
        text = getattr(words, name).strip()
        # The learner's answer is quoted unchanged, even with a question mark.
        if not asks and name != "answer":
            text = " ".join(each for each in _SENTENCE.split(text) if not each.endswith("?"))
        if text and text not in given:
            given.add(text)
            yield f"{_PARTS[name]}: «{text}»"


def _end(task: MoveInstruction, words: WordingParts, *, asks: bool) -> str:
    if not asks:
        return "Ask nothing."
    if words.ask.strip():
        return f"End on this question, in your own words: «{words.ask.strip()}»"
    if any("?" in getattr(words, name) for name in task.parts):
        return "End on this question and no other."
    return f"End on one question: {task.about}."
