"""What a model is told to say to what is no try at a question: the line of its act, and what the record says."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from agents.engine.roles import PlanPart, Wording
from tutoring.lesson.facts import LessonFacts, LobbyFacts
from tutoring.lesson.response_plan import Act
from tutoring.roles.speech.answer_guard import MOST_WORDS, find_problem, open_question

ACT_INSTRUCTIONS: Final[Mapping[Act, str]] = {
    "feeling": "Answer as a person would, in one or two sentences, and take up just what they told. No task and no lesson before "
    "that. Then leave them the choice: carry on, take a break, or do something lighter.",
    "joy": "Be glad with them in a sentence, about just what they told, and say what waits.",
    "small_talk": "Answer as a friendly person would, in one or two sentences, and come back to what waits.",
    "thanks": "Take the thanks in a sentence, name what they did themselves, where it shows, and say what waits.",
    "insult": "Stay calm. Take up what annoyed them, and offer another way.",
    "nonsense": "Say that you could not read it, and name two things that they may have meant.",
    "system": "Answer every part of the question in at most three sentences: on this program from what the record says, and nothing else; on "
    "the lesson from what is before the learner. Say plainly what is not known.",
    "contest": "Meet the protest in a sentence. Then answer it from the record: what stands there, whether it changes, and what they can "
    "do about it. Set no task.",
    "tutor_corrected": "Hold what they say against what is in sight and was said. Own a mistake where there is one, and say what holds.",
    "late_right": "Say that it is right and answers what was asked before, and why it is.",
    "off_topic": "Say kindly that this is nothing that is taught here, and come back to what waits.",
    "go_on": "Take up in a sentence what they said. The next step follows by itself.",
    "question": "Answer the question in at most three sentences, and say so where you are not sure.",
    "harder": "Say gladly, in a sentence, that something harder comes next.",
    "does_not_know": "Say kindly, in a sentence, that you show one first and that they only finish its last line.",
    "answer_demand": "Say kindly, in a sentence, that this answer stays theirs to find, and that one like it is worked out here.",
    "moved": "Say in a sentence that what they asked for begins now; what is left is kept.",
    "other": "Take up what they said, and say what you did not understand.",
    "unjudged": "Take up what is right in what they said. Then let them compare it with the sentence that the course has for it.",
}
"""What to say, by what a message does."""
LOBBY_INSTRUCTION: Final = "Name the lesson that you would begin with and why, in two sentences."
"""What to say to whoever leaves to the team where to begin."""
MOVE_INSTRUCTIONS: Final[Mapping[str, str]] = {
    "verdict": "Say first whether what they said is right, and why. Lead on from it to what was asked.",
}
"""The same, where a model chose another move than the act's own."""
QUESTION_LIMIT: Final = "One question at most, at the end."
QUESTIONLESS_INSTRUCTIONS: Final = frozenset(
    ACT_INSTRUCTIONS[act] for act in ("go_on", "moved", "harder", "does_not_know", "answer_demand")
)
"""Lines after which something comes that asks."""
_LINK: Final = "]("


def reword_reply(facts: LessonFacts | LobbyFacts, said: Sequence[PlanPart], *, act: Act = "") -> tuple[PlanPart, ...]:
    """Return a reply whose first words a model may find; a sentence with a link in it is said as it is."""
    if not said or not isinstance(said[0], str) or not said[0]:
        return tuple(said)
    words, linked = _apart(said[0])
    worded = reply_wording(facts, words, act=act) if words else None
    return tuple(each for each in (worded, linked, *said[1:]) if each)


def reply_wording(facts: LessonFacts | LobbyFacts, words: str, *, act: Act = "") -> Wording:
    """Return the authored words with what a model is told to find its own."""
    question = open_question(facts) if isinstance(facts, LessonFacts) else None
    line = _line(facts, act or facts.served.act)
    return Wording(
        words=words,
        task="\n".join(
            (line, *_given(facts, words), QUESTION_LIMIT if line not in QUESTIONLESS_INSTRUCTIONS else "Ask nothing.")
        ),
        guard=partial(
            find_problem,
            question=question.supplying(words, *facts.record) if question else None,
            questions=line not in QUESTIONLESS_INSTRUCTIONS,
        ),
        most_words=MOST_WORDS,
    )


def _line(facts: LessonFacts | LobbyFacts, act: Act) -> str:
    if isinstance(facts, LobbyFacts) and act == "go_on":
        return LOBBY_INSTRUCTION
    return MOVE_INSTRUCTIONS.get(facts.served.move) or ACT_INSTRUCTIONS.get(act, ACT_INSTRUCTIONS["other"])


def _given(facts: LessonFacts | LobbyFacts, words: str) -> Iterator[str]:
    if facts.record:
        yield "The record says:"
        yield from (f"- {line}" for line in facts.record)
    if words:
        yield f"Without you the program would say: «{words}»"


def _apart(text: str) -> tuple[str, str]:
    """Return what stands before the sentence with a link, and that sentence with the rest."""
    if _LINK not in text:
        return text, ""
    begins = text[: text.index("[")].rfind(". ") + 1
    return text[:begins].strip(), text[begins:].strip()
