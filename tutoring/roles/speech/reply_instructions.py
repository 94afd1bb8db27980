"""Instructions for a model's reply to messages that do not answer a question: the act's instruction and the record."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from agents.engine.roles import PlanPart, Wording
from tutoring.lesson.facts import LessonFacts, LobbyFacts
from tutoring.lesson.response_plan import Act
from tutoring.roles.speech.answer_guard import MOST_WORDS, find_problem, open_question

ACT_INSTRUCTIONS: Final[Mapping[Act, str]] = {
    "feeling": "Answer as a person would, in one or two sentences, about exactly what they told you. No task and no lesson before "
    "that. Then let them choose: carry on, take a break, or do something lighter.",
    "joy": "Be glad with them in one sentence, about exactly what they told you, and say what comes next.",
    "small_talk": "Answer as a friendly person would, in one or two sentences, and come back to what is open.",
    "thanks": "Accept the thanks in one sentence, name what they did themselves if it shows, and say what comes next.",
    "insult": "Stay calm. Respond to what annoyed them, and offer another way.",
    "nonsense": "Say that you could not read it, and name two things that they may have meant.",
    "system": "Answer every part of the question in at most three sentences: about this program only from the record; about "
    "the lesson from what the learner can see. Say plainly what is not known.",
    "contest": "Respond to the protest in one sentence. Then answer it from the record: what it says, whether it changes, and what they can "
    "do about it. Give no task.",
    "tutor_corrected": "Compare what they say with what is on the page and what was said. Admit a mistake if there is one, and say what is true.",
    "late_right": "Say that it is right, that it answers the earlier question, and why.",
    "off_topic": "Say kindly that this is not taught here, and come back to what is open.",
    "go_on": "Respond in one sentence to what they said. The next step follows by itself.",
    "question": "Answer the question in at most three sentences, and say where you are not sure.",
    "harder": "Say in one friendly sentence that something harder comes next.",
    "does_not_know": "Say kindly, in one sentence, that you show one first and that they finish only its last line.",
    "answer_demand": "Say kindly, in one sentence, that they find this answer themselves, and that a similar one is worked out here.",
    "moved": "Say in one sentence that what they asked for starts now, and that the rest is saved.",
    "other": "Respond to what they said, and say what you did not understand.",
    "unjudged": "Say what is right in what they said. Then let them compare it with the course's sentence.",
}
"""Instruction by act of the message."""
LOBBY_INSTRUCTION: Final = "Name the lesson that you would start with and why, in two sentences."
"""Instruction for a learner who leaves it to the team where to start."""
MOVE_INSTRUCTIONS: Final[Mapping[str, str]] = {
    "verdict": "Say first whether what they said is right, and why. Then go on to what was asked.",
}
"""Instruction by move, if a model chose another move than the act's own."""
QUESTION_LIMIT: Final = "One question at most, at the end."
QUESTIONLESS_INSTRUCTIONS: Final = frozenset(
    ACT_INSTRUCTIONS[act] for act in ("go_on", "moved", "harder", "does_not_know", "answer_demand")
)
"""Instructions after which a question follows anyway."""
_LINK: Final = "]("


def reword_reply(facts: LessonFacts | LobbyFacts, said: Sequence[PlanPart], *, act: Act = "") -> tuple[PlanPart, ...]:
    """Return a reply whose first words a model may replace; a sentence with a link stays as it is."""
    if not said or not isinstance(said[0], str) or not said[0]:
        return tuple(said)
    words, linked = _apart(said[0])
    worded = reply_wording(facts, words, act=act) if words else None
    return tuple(each for each in (worded, linked, *said[1:]) if each)


def reply_wording(facts: LessonFacts | LobbyFacts, words: str, *, act: Act = "") -> Wording:
    """Return the authored words with the instruction for a model to write its own."""
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
    """Return the text before the first sentence with a link, and that sentence with the rest."""
    if _LINK not in text:
        return text, ""
    begins = text[: text.index("[")].rfind(". ") + 1
    return text[:begins].strip(), text[begins:].strip()
