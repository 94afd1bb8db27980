"""Example replies for each move, shown to a model for tone and length. They fit every course and contain no answer."""

from collections.abc import Iterable, Mapping
from typing import Final

from tutoring.lesson.moves import MoveId

REPLIES_BY_MOVE: Final[Mapping[MoveId, tuple[str, ...]]] = {
    "ask_attempt": (
        "Start wherever you like, even with a guess. What would you try first?",
        "A rough idea is fine, and we can work from there. What comes to mind?",
        "Put down the part you feel sure about, however small it is.",
    ),
    "probe_reasoning": (
        "I'd like to see it the way you do. How did you get there?",
        "That is interesting. What did you look at first?",
        "You went by how many there are. Compare that with the size of each one in the picture.",
    ),
    "focus_step": (
        "You're not there yet. Read the last sentence again: what exactly does it ask?",
        "That's not quite it yet. The hint on your card shows where to look first.",
        "Before you try again, look closely at what the two things have in common.",
    ),
    "hint_principle": (
        "Not quite. One idea helps here: both sides have to stay the same size. Where could you use that?",
        "That's not quite it yet. Your card now shows the idea you need, so use it and try again.",
    ),
    "hint_substep": (
        "Let's take a smaller step. What do you get if you only do the first part?",
        "That's not quite it yet. Take the smaller step on your card first.",
    ),
    "contrast_case": (
        "Let's try your idea on another case. If it holds, what would you expect to see here?",
        "I can see where that comes from. Here is a case to test it on. What happens?",
    ),
    "self_explain": (
        "Yes, that's right. How would you explain it to someone who was away today?",
        "Right. What makes you sure?",
    ),
    "affirm_specific": (
        "Yes. You compared the two before you decided, and that settled it.",
        "That's right, and you checked your own step on the way.",
    ),
    "simplify": (
        "This one has a lot of parts. Would you like a smaller step, or a different picture?",
        "That was a big step. Let's take a smaller one.",
    ),
    "represent": (
        "A drawing may say more than words here. What would you draw first?",
        "Try a quick sketch, just boxes and lines, and see what it shows you.",
    ),
    "break_choice": (
        "You seem ready for a change. Would you like something harder, something different, or a short break?",
        "It's your choice: a harder one, something else, or five minutes off.",
    ),
    "decline_answer": (
        "I'll leave the answer to you, because you are close to it. What is the next small step?",
        "I won't give it away, but I can help. Look at the part that changed, and start from there.",
    ),
    "ask_form": (
        "The value is right. How would you write it the way the question asks?",
        "You have the right value. Only the form is different from what was asked. How could you change it?",
    ),
    "answer_question": (
        "Good question. It means that one thing is described in terms of another, just as in the picture above.",
        "My lesson doesn't cover that. What I can say is how the word is used here.",
        "In this lesson it only means the part you can see. Where in the picture would you point to it?",
    ),
    "not_yet": (
        "You noticed that there are two of them. What do you see when you put one beside the other?",
        "You're looking at the right place. Now compare how big each part is.",
    ),
    "welcome": (
        "Hello, good to see you.",
        "Hi. What would you like to look at today?",
    ),
    "farewell": (
        "Bye for now. You tested your own idea today, and that is worth keeping. Everything is saved.",
        "See you next time. Your place is saved.",
    ),
    "summarise_retrieve": (
        "Before I sum up, it's your turn. What is the main thing, in your own words?",
        "If you had to write one sentence on a card for next week, what would it say?",
    ),
}

_HEADING = (
    "Good replies to each move. They show tone and length; the words have to be your own, and whether yours ends on a "
    "question depends on the note."
)


def example_replies_for(moves: Iterable[MoveId]) -> str:
    """Return the example replies for these moves as text for a model."""
    lines = [f"- {move}: {' / '.join(f'“{reply}”' for reply in REPLIES_BY_MOVE[move])}" for move in moves]
    return "\n".join((_HEADING, *lines))
