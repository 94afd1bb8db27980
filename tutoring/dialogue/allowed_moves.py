"""The moves that a connected model may choose from: the decided one, and those that may be right instead."""

from collections.abc import Iterator
from typing import Final

from tutoring.dialogue.situation import DialogueState
from tutoring.lesson.response_plan import Act, Decision
from tutoring.understanding.message_analysis import MessageAnalysis
from tutoring.understanding.model_reading.schema import AllowedMove

MOVE_DESCRIPTIONS: Final[dict[str, str]] = {
    "answer_question": "Answer the learner's question briefly: from the lesson, from the record, or from what was found.",
    "not_in_material": "Say that the material does not answer it, say what you know and what you do not, and offer two ways on.",
    "meet_person": "Answer as a person would, in a sentence or two: a feeling, news, a greeting, thanks. No task before that.",
    "verdict": "Say the verdict as computed, with its reason; for open words without one, say what is right in them.",
    "compare_words": "Show a sentence to compare with what they said, and ask whether they meant the same.",
    "hint": "Give the next hint.",
    "worked_example": "Show a worked example with other numbers; the learner finishes its last line.",
    "clarify": "Say what was not understood, and offer the two likeliest readings.",
    "change_direction": "Do what the learner wants instead: another topic, a goal, a check-out; the rest is saved.",
    "go_on": "Go on to the next step.",
    "pause": "Stop here, or take a break; everything is saved.",
}
ACTS_BY_MOVE: Final[dict[str, tuple[Act, ...]]] = {
    "verdict": ("idea_said", "idea_partly", "misconception", "wrong", "late_right", "claim", "drawing"),
    "compare_words": ("unjudged",),
    "meet_person": ("feeling", "joy", "thanks", "greeting", "insult", "small_talk", "tutor_corrected"),
    "hint": ("hint_request", "does_not_know", "answer_demand", "stuck"),
    "worked_example": ("example", "other_picture"),
    "change_direction": ("known", "harder", "quiz_request", "abandon"),
    "go_on": ("go_on", "resume", "skip", "moved"),
    "pause": ("goodbye",),
    "not_in_material": ("off_topic",),
    "clarify": ("nonsense",),
}
"""The decided move, by act; any other act is answered as a question."""
MOVES_AT_MOST: Final = 5
LOBBY_MOVES: Final = ("answer_question", "meet_person", "change_direction", "not_in_material", "clarify")
PLACEMENT_MOVES: Final = ("go_on", "answer_question", "meet_person", "change_direction", "pause")
UNCLEAR_MOVES: Final = ("verdict", "answer_question", "meet_person", "hint", "go_on")
"""Alternatives to a verdict, and if it is not known what was said."""
ALTERNATIVE_MOVES: Final[dict[str, tuple[str, ...]]] = {
    "verdict": ("hint", "answer_question", "meet_person", "go_on"),
    "compare_words": ("verdict", "answer_question", "meet_person", "hint"),
    "meet_person": ("answer_question", "go_on", "pause", "verdict"),
    "hint": ("worked_example", "meet_person", "answer_question", "verdict"),
    "worked_example": ("hint", "answer_question", "meet_person", "go_on"),
    "change_direction": ("go_on", "answer_question", "meet_person", "pause"),
    "go_on": ("change_direction", "verdict", "meet_person", "pause"),
    "pause": ("meet_person", "go_on", "change_direction", "answer_question"),
    "not_in_material": ("answer_question", "meet_person", "change_direction", "go_on"),
    "clarify": ("answer_question", "meet_person", "verdict", "hint"),
    "answer_question": ("not_in_material", "meet_person", "hint", "change_direction"),
}
"""In a lesson, by the decided move: what the learner may have wanted instead."""


def find_allowed_moves(state: DialogueState, analysis: MessageAnalysis, decision: Decision) -> tuple[AllowedMove, ...]:
    """Return the allowed moves, five at most, including the decided one."""
    names = dict.fromkeys(_allowed(state, decision))
    return tuple(AllowedMove(id=each, line=MOVE_DESCRIPTIONS[each]) for each in list(names)[:MOVES_AT_MOST])


def _allowed(state: DialogueState, decision: Decision) -> Iterator[str]:
    match state.place:
        case "lobby":
            yield from LOBBY_MOVES
        case "placement":
            yield from PLACEMENT_MOVES
        case "lesson" if decision.served.act == "other":
            yield from UNCLEAR_MOVES
        case "lesson":
            decided = _decided(decision)
            yield decided
            yield from ALTERNATIVE_MOVES[decided]


def _decided(decision: Decision) -> str:
    if decision.served.to in ("new_topic", "offers"):
        return "change_direction"
    act = decision.served.act
    return next((move for move, acts in ACTS_BY_MOVE.items() if act in acts), "answer_question")
