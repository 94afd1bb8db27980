"""Read a message once: exact parsing first, then safety, then the trained classifiers, joined to one value."""

import logging
from typing import Final

from agents.routing.decision import RoutingDecision
from tutoring.understanding import named_topics
from tutoring.understanding.classifiers import ideas, intents, moods
from tutoring.understanding.concerns import detector
from tutoring.understanding.context import NEW_CONTEXT, Context
from tutoring.understanding.course_answers import find_answer_to
from tutoring.understanding.message import MessageText, make_message
from tutoring.understanding.message_analysis import AnswerGiven, ConcernSignal, Intent, MessageAnalysis, QuestionAsked
from tutoring.understanding.parsing.assertions import is_asking, sentences
from tutoring.understanding.parsing.button_labels import button_intent
from tutoring.understanding.parsing.commands import commands_in, find_person_concerned
from tutoring.understanding.parsing.requested_calculation import find_requested_calculation, is_open_calculation
from tutoring.understanding.replies import answers
from tutoring.understanding.routing.agent_selection import select_agent
from tutoring.understanding.routing.rules import RoutingSituation

logger = logging.getLogger(__name__)

EXACT_PROBABILITY: Final = 0.99
"""The probability of an intent that is parsed, not guessed."""
POSSIBLE_REPLY_FROM: Final = 0.33
"""The probability from which a message is a reply that may be wrong: on the known answers of the development set hardly a wrong one is
lost below .4, and above it a tenth."""
SAYING_INTENTS: Final[frozenset[Intent]] = frozenset({"answer", "idea", "disagree"})
"""Intents of a message that says something of the matter."""
ASKING_INTENTS: Final[frozenset[Intent]] = frozenset({"question_content", "calculate", "question_meta"})
MISTAKEN_FOR_ANSWERS: Final[frozenset[Intent]] = frozenset({"calculate", "disagree", "correction_of_tutor", "nonsense"})
"""Intents that a value which answers the question is taken for."""
LEARNING_INTENTS: Final[frozenset[Intent]] = frozenset(
    {"change_topic", "goal", "ask_quiz", "go_on", "plan", "question_content", "resume"}
)
"""Intents in which the name of a concept is what is wanted."""
LEAVING_INTENTS: Final[frozenset[Intent]] = frozenset(
    {
        "change_topic",
        "goal",
        "ask_quiz",
        "plan",
        "progress",
        "off_topic",
        "question_content",
        "question_meta",
        "tool_request",
    }
)
"""Intents of a message that may be for another agent than the one under way."""


type Intents = tuple[tuple[Intent, float], ...]


def analyse(text: str, context: Context = NEW_CONTEXT) -> MessageAnalysis:
    """Return what a message says and does in its context. Pure; takes any text, in some milliseconds.

    Raises ModelNeeded within a transaction (`agents.local_models.inference`): it belongs outside of one.
    """
    message = make_message(text, context)
    concern = detector.find_concern(text) or _written_concern(context)
    commands = commands_in(message.tidied)
    likely, is_unsure = _likely(message)
    states = bool(message.claims) and "?" not in message.typed  # "9 + 9 = 18" is said, and nothing to be worked out.
    may_answer = is_unsure or states or any(intent in SAYING_INTENTS for intent, _chance in likely)
    is_reply = states or any(
        intent in SAYING_INTENTS and chance >= POSSIBLE_REPLY_FROM for intent, chance in likely[:1]
    )
    given = answers.answers_in(message, may_answer=may_answer, is_reply=is_reply)
    judged = any(each.verdict in ("right", "wrong", "partly") for each in given)
    exact = bool(given) and bool(answers.bare_answer(message))
    does = _intents(likely, given, concern, exact=exact, states=states)
    said = ideas.read_ideas(message) if may_answer or judged else ideas.FoundIdeas()
    wanted = (
        find_requested_calculation(message.typed) if any(intent in ASKING_INTENTS for intent, _chance in does) else ""
    )
    mood, sure = moods.mood_of(message)
    asks = _question(message) if any(intent in ASKING_INTENTS for intent, _chance in does) else None
    return MessageAnalysis(
        intents=does,
        concern=concern,
        answers=given,
        claims=message.claims,
        ideas=said.ideas,
        misconceptions=() if _is_right(given) else said.misconceptions,
        milestones=said.milestones,
        mood=mood,
        mood_probability=sure,
        asks=asks,
        names=named_topics.find_named_topics(message) if _may_name_topic(does, context) or "switch" in commands else (),
        commands=commands,
        about=find_person_concerned(message.words),
        sum=wanted,
        is_open_sum=bool(wanted) and is_open_calculation(wanted, context),
        routed=_routed(message, does),
        is_unsure=is_unsure and not judged,
    )


def _likely(message: MessageText) -> tuple[Intents, bool]:
    """Return what the message does, and whether that is unsure; a button's own words are certain."""
    if wish := button_intent(message.words):
        return ((wish, EXACT_PROBABILITY),), False
    found = intents.intents_of(message)
    return found.found, found.is_unsure


def _written_concern(context: Context) -> ConcernSignal | None:
    """Return what is written on a drawing or photo that goes with the message."""
    return detector.find_concern(context.drawn_words) if context.drawn_words else None


def _intents(
    found: Intents, given: tuple[AnswerGiven, ...], concern: ConcernSignal | None, *, exact: bool, states: bool
) -> Intents:
    """Return the intents with what was parsed first: danger, an answer and nothing else, a value that was asked for."""
    if concern is not None and concern.kind != "unsafe_request":
        return (("safety", max(concern.confidence, 0.5)), *(each for each in found if each[0] != "safety"))
    if exact:
        return (
            ("answer", EXACT_PROBABILITY),
            *(each for each in found if each[0] not in ("answer", "idea", "nonsense")),
        )
    kept = tuple(each for each in found if each[0] != "safety") or found
    says = states or any(each.verdict in ("right", "wrong") for each in given)
    if says and kept[:1] and kept[0][0] in MISTAKEN_FOR_ANSWERS:
        return (("answer", kept[0][1]), *kept[1:])
    return kept


def _is_right(given: tuple[AnswerGiven, ...]) -> bool:
    return any(each.verdict == "right" for each in given)


def _may_name_topic(does: Intents, context: Context) -> bool:
    """Tell whether a name in the message can be what is wanted: at a lesson's ends, or where it wants to learn something."""
    ends = context.is_over or any(each.kind == "summary" for each in context.prompts[:1])
    return context.concept is None or ends or any(intent in LEARNING_INTENTS for intent, _chance in does)


def _routed(message: MessageText, does: Intents) -> RoutingDecision | None:
    """Return which agent the message is for, where it may leave what is under way; else None."""
    context = message.context
    under_way = context.concept is not None
    if under_way and not any(intent in LEAVING_INTENTS for intent, _chance in does):
        return None
    situation = RoutingSituation(
        has_topic=under_way, in_quiz=context.in_quiz, cycle_over=context.is_over, placing=context.is_placing
    )
    return select_agent(message.typed, situation=situation, intents=does)


def _question(message: MessageText) -> QuestionAsked | None:
    """Return the question in a message, with the place of the course's answer to it."""
    asked = next((each for each in sentences(message.words) if is_asking(each)), message.words)
    context = message.context
    if context.course is None or context.concept is None:
        return QuestionAsked(text=asked)
    answer = find_answer_to(message.words, course=context.course, concept=context.concept)
    about = next((each for each in context.course.concepts if answer in each.answers), None) if answer else None
    if about is None or answer is None:
        return QuestionAsked(text=asked)
    return QuestionAsked(text=asked, topic=about.id, answer=about.answers.index(answer))
