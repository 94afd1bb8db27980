"""The moves that a connected model may choose among, and what a chosen one makes of a decision."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tutoring.dialogue.decisions import CONVERSATIONAL, Act, Decision
from tutoring.dialogue.situation import DialogueState
from tutoring.understanding.reading import AllowedMove
from tutoring.understanding.values import MessageAnalysis

LINES: Final[dict[str, str]] = {
    "answer_question": "Answer the learner's question shortly: from the lesson, from the record, or from what was found.",
    "meet_person": "Answer as a person would, in a sentence or two: a feeling, news, a greeting, thanks. No task before that.",
    "verdict": "Say the verdict as computed, with its reason; for open words without one, take up what is right in them.",
    "compare_words": "Show a sentence to compare with what they said, and ask whether they meant the same.",
    "hint": "Give the next hint.",
    "worked_example": "Show a worked example with other numbers; the learner finishes its last line.",
    "clarify": "Say what was not understood, and offer the two likeliest readings.",
    "change_direction": "Do what the learner wants instead: another topic, a goal, a check-out; what is left is kept.",
    "go_on": "Go on to the next step.",
    "pause": "Stop here, or take a break; everything is kept.",
}
ACTS: Final[dict[str, Act]] = {
    "answer_question": "question",
    "meet_person": "feeling",
    "compare_words": "unjudged",
    "hint": "hint_request",
    "worked_example": "example",
    "clarify": "other",
    "go_on": "go_on",
    "pause": "goodbye",
}
"""What a chosen move makes of a message whose act was not clear."""
OPEN: Final[frozenset[Act]] = frozenset({"other", "unjudged", "question", "nonsense", "small_talk"})
"""Acts in whose place a model's choice may come: nothing was parsed, recorded or graded for them."""
MOST: Final = 5


def allowed(state: DialogueState, analysis: MessageAnalysis, decision: Decision) -> tuple[AllowedMove, ...]:
    """Return the three to five moves that are allowed now, the decided one among them."""
    names = dict.fromkeys(_allowed(state, decision))
    return tuple(AllowedMove(id=each, line=LINES[each]) for each in list(names)[:MOST])


def chosen(decision: Decision, move: str | None) -> Decision:
    """Return the decision with the act of the move that a model chose; the same where it must not choose, or did not."""
    act = ACTS.get(move or "")
    served = decision.served
    if act is None or served.act not in OPEN or served.to != "lesson" or served.act == act or decision.effects:
        return decision
    return replace(decision, served=replace(served, act=act, strategy="llm", confidence=None))


def _allowed(state: DialogueState, decision: Decision) -> Iterator[str]:
    act = decision.served.act
    if act in CONVERSATIONAL or act in ("greeting", "thanks"):
        yield "meet_person"
    if state.place == "lesson" and (state.waits_for or state.question is not None):
        yield "verdict" if act in ("idea_said", "idea_partly", "misconception", "wrong") else "compare_words"
    yield "answer_question"
    yield "meet_person"
    if state.place == "lesson":
        yield "hint" if state.question is not None else "worked_example"
    yield "change_direction"
    yield "clarify"
    yield "go_on"
