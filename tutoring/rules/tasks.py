"""What a model is told to say for a move: one line each. The move itself was decided before, by rules.

Moves that are not here are said in authored words always: worked examples and solutions, because their mathematics is
checked, and the few words that only lead from one card to the next.
"""

from collections.abc import Mapping
from typing import Final

from tutoring.rules.moves import MoveId
from tutoring.rules.wording import Words

TASKS: Final[Mapping[MoveId, str]] = {
    "ask_attempt": "Ask for a first step, even a guess. Give no hint yet.",
    "probe_reasoning": "Ask how the learner got there, or what made them think so. Do not say yet what is wrong.",
    "focus_step": "Point to the one feature of the question to look at, without naming an operation or a result.",
    "hint_principle": "Name the idea behind the question, and leave its use to the learner.",
    "hint_substep": "Ask a smaller question on the way, and nothing beyond it.",
    "contrast_case": "Do not say that the idea is wrong. Let the learner test it on the case given, where it breaks.",
    "self_explain": "Say that it is right, then ask why it works.",
    "affirm_specific": "Say that it is right, and name the move the learner made. One or two sentences.",
    "simplify": "Meet the difficulty without naming a feeling. Offer a smaller step or another way to look at it.",
    "represent": "Ask the learner to draw it, or offer a picture to look at.",
    "break_choice": "Offer a choice: something harder, something different, or a short break.",
    "summarise_retrieve": "Ask the learner to sum up first, in their own words.",
    "decline_answer": "Keep the answer back kindly, and give the next small step instead.",
    "ask_form": "The value is right and the form is not. Say so, and ask for the form that the question wants.",
    "answer_question": "Answer the learner's question shortly, from the lesson. If it goes beyond it, say what you know "
    "and what you do not, then come back to the lesson.",
    "not_yet": "The reply does not show the idea yet. Take up what is in it, and ask for a closer look.",
    "welcome": "Greet the learner in one sentence.",
    "farewell": "Say goodbye in a sentence or two: what was found today, and that everything is kept.",
}

_PARTS: Final[Mapping[str, str]] = {
    "hint": "Say this, in your own words, and nothing that goes beyond it",
    "answer": "The learner's answer",
    "heard": "What the learner has seen",
    "not_yet": "What may help",
    "reason": "Why it is right",
}
"""What of a wording's parts a model is told, and how it is called."""


def task_for(move: MoveId, words: Words, *, asks: bool) -> str:
    """Return what a model is told to say; empty for a move said in authored words. `asks`: it ends on a question."""
    line = TASKS.get(move, "")
    if not line:
        return ""
    given = [f"{label}: «{text.strip()}»" for name, label in _PARTS.items() if (text := getattr(words, name))]
    end = "End on one question." if asks else "Ask nothing; a question follows by itself or is not due."
    return "\n".join((line, *given, end))
