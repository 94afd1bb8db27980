"""The analysis of a message: exact parsing, safety check and trained classifiers, combined into one value."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agents.routing.decision import RoutingDecision
from tutoring.grading import OrderKey, TraceKey, grade
from tutoring.planner.requests.reader import read_requests
from tutoring.planner.values import PlannerRequest
from tutoring.understanding import named_topics
from tutoring.understanding.classifiers import ideas, intents, moods
from tutoring.understanding.classifiers.misconceptions import likely_misconception
from tutoring.understanding.classifiers.questions import (
    ASKED_FROM,
    CLEARLY_REQUESTED_FROM,
    REQUESTED_FROM,
    VERY_LIKELY,
)
from tutoring.understanding.concerns import detector
from tutoring.understanding.context import NEW_CONTEXT, Context, Prompt
from tutoring.understanding.course_answers import (
    NEAR_IDEA,
    NEAR_IDEA_IF_UNSURE,
    WORDS_OF_AN_IDEA,
    find_answer_to,
    find_explained_topic,
    find_frequent_question,
    find_nearest_idea,
)
from tutoring.understanding.lesson_sentences import find_nearest_sentence
from tutoring.understanding.message import MessageText, make_message
from tutoring.understanding.message_analysis import (
    AnswerGiven,
    ArithmeticClaim,
    ConcernSignal,
    Evidence,
    Intent,
    MessageAnalysis,
    NamedTopic,
    QuestionAsked,
)
from tutoring.understanding.parsing.assertions import asks_openly, is_asking, plain_text, sentences
from tutoring.understanding.parsing.button_labels import button_intent
from tutoring.understanding.parsing.commands import Command, commands_in, feelings_in, find_person_concerned
from tutoring.understanding.parsing.commitments import REASON, content_words
from tutoring.understanding.parsing.requested_calculation import (
    find_requested_calculation,
    is_only_calculation,
    is_open_calculation,
)
from tutoring.understanding.parsing.requested_conversion import is_only_conversion
from tutoring.understanding.parsing.set_phrases import set_phrase_intent
from tutoring.understanding.replies import answers, number_answers
from tutoring.understanding.replies.nearest_choices import nearest_choices
from tutoring.understanding.replies.offered_buttons import meant_button
from tutoring.understanding.replies.program_answers import program_answer
from tutoring.understanding.routing.agent_selection import select_agent
from tutoring.understanding.routing.rules import RoutingSituation
from tutoring.understanding.system_questions import SURE, SURER, SUREST, find_system_question

# A convention, not a measurement. Below `schema.EXACT` (.999): a connected model is still asked.
EXACT_PROBABILITY: Final = 0.99
"""The probability of an intent that was parsed exactly: "3/4", a button's label."""
# "my brother likes pizza" must not become a wrong answer. On known_answers.jsonl (development) hardly a wrong answer is
# lost up to .4, and a tenth above it; lowered from .4 with 88 more training rows of small talk (2026-11-24).
POSSIBLE_REPLY_FROM: Final = 0.33
"""The probability of an answering intent from which a reply may be judged wrong."""
# Beside a card that was not answered, five people were granted six milestones without a question mark: the two from .96 on
# were said, the four from .85 to .93 were not (2026-11-29).
SURE_BESIDE_CARD: Final = 0.95
"""The probability from which a message states a milestone while the card that it does not answer waits."""
# Learners who disagree often answer too: "no, 3/4 is more".
# "b? or c?" is one question. Chosen by hand.
WORDS_OF_A_QUESTION: Final = 3
"""Words from which what follows an answer is a question of its own."""
SAYING_INTENTS: Final[frozenset[Intent]] = frozenset({"answer", "idea", "disagree"})
"""Intents whose messages may hold an answer or an idea."""
ASKING_COMMANDS: Final = frozenset({"graded", "why_asked", "find_level"})
"""Commands in words that may ask something more exact: "does using a hint count against me?"."""
VAGUE_COMMANDS: Final = frozenset(
    {"shows_drawing", "ventured", "asks_verdict", "leave_step", "unknown", "leave_out", "eased", "back"}
)
"""Commands in words that any question may have: "is it …", "this", "next", "I don’t know", "go back to …"."""
ADVANCING_COMMANDS: Final = frozenset({"leave_step", "next_question", "agree"})
# Patterns of courses may be as short as one word: "left". Chosen by hand.
KNOWN_FROM: Final = 0.65
"""Probability of a frequent question from which it counts before an answer that a pattern found."""
# "what are the stripes for" came to .83 of a question about sugar pills, "difference between = and ==" to 1 (2026-11-28).
ELSEWHERE_FROM: Final = 0.85
"""Probability from which a frequent question of another concept than the one that is taught counts."""
# "how does memory work" came to .71 of a question about examples for networks, "who uses fractions" to .92 (2026-11-28).
ANYWHERE_FROM: Final = 0.9
"""The same without a lesson."""
REPEATED_WORDS: Final = 3
"""Content words that a message shares with the open question if it is about that. Chosen by hand."""
SUBJECT_INTENTS: Final[frozenset[Intent]] = frozenset({"question_content", "question_meta"})
"""Intents of a message that may ask about the subject in general."""
ASKING_INTENTS: Final[frozenset[Intent]] = frozenset({"question_content", "calculate", "question_meta"})
SUM_INTENTS: Final[frozenset[Intent]] = ASKING_INTENTS | {"ask_hint"}
"""Intents whose messages may ask for a sum: "can you help me? i need 2/3 of 12"."""
# A bare "2+3 is 5" looks like a sum to calculate, "no its 6" like a protest: a graded value settles it.
MISTAKEN_FOR_ANSWERS: Final[frozenset[Intent]] = frozenset({"calculate", "disagree", "correction_of_tutor", "nonsense"})
"""Intents that yield to `answer` if the message holds a graded value."""
# Only with these does a name mean "teach me that": "one half is two pieces" names a concept and wants none.
LEARNING_INTENTS: Final[frozenset[Intent]] = frozenset(
    {"change_topic", "goal", "ask_quiz", "go_on", "plan", "question_content", "resume"}
)
"""Intents with which the name of a concept is a wish for it."""
REQUESTING_INTENTS: Final[frozenset[Intent]] = frozenset({"ask_quiz", "change_topic", "goal", "plan", "resume"})
"""Intents with which a concept may be asked for without its name."""
HELPLESS_INTENTS: Final[frozenset[Intent]] = frozenset({"dont_know", "ask_hint", "ask_example"})
"""Intents of somebody who needs help, so that a dull tone is no boredom."""
# Small talk and what is asked beside the lesson; a greeting may say "I'm back".
ASIDE_INTENTS: Final[frozenset[Intent]] = frozenset(
    {"question_meta", "question_content", "off_topic", "small_talk", "tool_request", "greeting", "resume"}
)
"""Intents of a message that may be about the system."""
LIKE_ASIDES: Final[frozenset[Intent]] = frozenset(
    {
        "change_topic", "emotion_negative", "plan", "progress", "disagree", "correction_of_tutor", "ask_quiz", "ask_hint", "ask_example",
        "nonsense", "pause_or_stop",
    }
)  # fmt: skip
"""Intents of a message that is about the system only if it sounds much like it."""
# Chosen by hand. All others stay with the lesson, so that routing cannot pull a learner out of an answer.
LEAVING_INTENTS: Final[frozenset[Intent]] = frozenset(
    {
        "change_topic", "goal", "ask_quiz", "plan", "progress", "off_topic", "question_content", "question_meta",
        "tool_request",
    }
)  # fmt: skip
"""Intents of a message that may be for another agent than the current one."""
# "lets go back to the slices of the same size" sounds like an idea, "number line next" like an answer.
_SOUNDS_LIKE_WISH = re.compile(
    r"(?:(?:ok(?:ay)?|so|please|pls|now|right|and|then)\W+)*"
    r"(?:(?:(?:can|could|may) (?:we|i|you)|let'?s|let us|(?:i|we) (?:want|need|would like|'?d like)(?: to)?|i wanna) (?:please |just |now )*)?"
    r"(?:learn|teach|show (?:me )?how|practi[cs]e|study|go (?:back|on) to|back to|skip to|jump to|switch to|start with|(?<= )do|(?<= )try)\b"
    r"|(?:(?:ok(?:ay)?|so|right|and)\W+)*(?:now|next)\b|.*\b(?:next|please|pls|instead)\W*$"
)

_PAPER = re.compile(
    r"\b(?:(?:this|the|my) (?:page|lesson|sheet)|paper|printer|pdf|print (?:this|it|that)|(?:print|printed) out)\b"
)
_CLAUSE = re.compile(r"[.,;!?]+ *")
_ASKS_WHY = re.compile(r"\W*(?:(?:but|and|so|ok|wait)\W+)*(?:why|how come)\b")
_ASKS_REASON = re.compile(r"\b(?:why|how come|difference|means?)\b")
# "in Excel the first row is 1, why does Python begin with 0": what comes before is no part of the question.
_ASKING_CLAUSE = re.compile(
    r"[,;:]\s+(?:(?:but|and|so|then)\s+)*((?:why|how come|how|what|when|where|which|who)\b(?:\W+\w+){2,}.*)$"
)
_ASKS_WHAT = re.compile(r"\b(?:what|how|why|which|where)\b")
# What follows the command `switch`.
_AFTER_SWITCH = re.compile(
    r"(?:\b(?:skip|jump|move|go|start|switch|rather|me)\b.*? (?:to|with|at)|\bteach me(?: about)?) (?:the )?(?:(?:topic|lesson|chapter|part|section) )?"
    r"(?:(?:about|on|of) )?(.+?)(?: (?:from the (?:very )?(?:start|beginning)|now|instead|first|please|pls))*\W*$"
)

type Intents = tuple[tuple[Intent, float], ...]


def analyse(text: str, context: Context = NEW_CONTEXT) -> MessageAnalysis:
    """Return the analysis of a message in its context; takes any text, in some milliseconds. A program is run.

    Raises ModelNeeded within a transaction (`agents.local_models.inference`): call it outside of one.
    """
    concern = detector.find_concern(text) or _written_concern(context)
    if concern is not None and not concern.is_sure:
        message = make_message(text, context)
        concern = None if _is_about_idea(message) or _repeats_question(message) else concern
    meant = "" if concern else meant_button(text, context.offered) or named_topics.switch_to_wanted(text, context)
    found = _analysed(meant or text, context, concern)
    return _quoted_as(text.strip(), found) if meant else found


def _quoted_as(text: str, found: MessageAnalysis) -> MessageAnalysis:
    """Return the analysis of a button's words with the message that means the button as every quote."""
    ideas_said, misconceptions, milestones = (
        tuple(replace(each, quote=text) for each in shown)
        for shown in (found.ideas, found.misconceptions, found.milestones)
    )
    names = tuple(replace(each, quote=text) for each in found.names)
    return replace(found, ideas=ideas_said, misconceptions=misconceptions, milestones=milestones, names=names)


def _analysed(text: str, context: Context, concern: ConcernSignal | None) -> MessageAnalysis:
    """Return the analysis of a message in which this concern was found."""
    message = make_message(text, context)
    if concern is None and (program := _program_answer(message, text)) is not None:
        return MessageAnalysis(intents=(("answer", EXACT_PROBABILITY),), answers=(program,))
    if concern is None and (picked := _picked_idea(message)) is not None:
        return picked
    commands = _commands(message)
    likely, is_unsure = _likely(message)
    asks_sum = _asks_only_a_sum(message)
    replies = _read_replies(message, likely, commands, is_unsure=is_unsure, asks_sum=asks_sum)
    given, judged = replies.answers, replies.judged
    if replies.exact:
        # "C - next": what comes next is shown once the answer is judged.
        commands = tuple(each for each in commands if each not in ADVANCING_COMMANDS)
    does = _intents(likely, given, concern, exact=replies.exact, states=replies.states)
    if asks_sum and concern is None and not _solves(given, context):
        given, judged, is_unsure, does = (), False, False, (("calculate", EXACT_PROBABILITY),)
    said = ideas.read_ideas(message) if replies.may_answer or judged else ideas.FoundIdeas()
    wanted = _wanted_sum(message, does)
    mood, sure = moods.mood_of(message)
    if mood == "bored" and any(intent in HELPLESS_INTENTS for intent, _chance in does[:1]):
        mood = "confused"
    # "how is 1/8 smaller if 8 is bigger" holds a claim, and asks.
    is_subject = any(intent in SUBJECT_INTENTS for intent, _chance in does[:1]) or asks_openly(message.words)
    states_only = bool(message.claims) and not is_subject
    # "why is -3 lower than -1" and "the difference between 7 and 7.0" ask for no sum.
    said_else = bool(judged or states_only or (wanted and not _ASKS_REASON.search(message.words)) or concern)
    # What a command or a reading says is surer than a likeness.
    is_read = bool(replies.exact or said_else or set(commands) - VAGUE_COMMANDS - ASKING_COMMANDS)
    # "half of 8 is 4" is no name of One half.
    names = tuple(each for each in _names(message, does, commands) if not (states_only and each.is_all))
    likeness = SUREST if ASKING_COMMANDS & set(commands) else SURE
    asked, topic = _asked(message, does, is_unsure=is_unsure, says_else=said_else, is_read=is_read, sure=likeness)
    if judged:
        asked = _asked_beside(message) or asked
    elif "switch" in commands and named_topics.is_titled(message) and not asks_openly(message.words):
        asked = None  # "ok let's start with gradient descent" does not ask what that is.
    return MessageAnalysis(
        intents=does,
        concern=concern,
        answers=given,
        claims=_claims(message, judged=judged),
        ideas=said.ideas,
        misconceptions=() if _is_right(given) or _states_truth(message) else said.misconceptions,
        milestones=_milestones(said.milestones, given, message.context),
        nearest_idea="" if judged else _nearest_idea(message, does[:1], is_unsure=is_unsure),
        nearest_choices=() if judged else _nearest_choices(message, does[:1], is_unsure=is_unsure),
        nearest_sentence="" if said_else or is_read or topic else _nearest_sentence(message, asked),
        mood=mood,
        mood_probability=sure,
        asks=asked,
        names=names,
        is_other_subject=not names and _requests(does) and named_topics.asks_other_subject(message),
        commands=commands,
        system_topic=topic,
        about=find_person_concerned(message.words),
        sum=wanted,
        is_open_sum=bool(wanted) and is_open_calculation(wanted, context),
        routed=_routed(message, does),
        requests=_planner_requests(text, context, concern),
        is_unsure=is_unsure and not judged,
    )


def _program_answer(message: MessageText, text: str) -> AnswerGiven | None:
    """Return the program, or its output, that a whole message gives as the answer; None for labels and set phrases."""
    is_phrase = button_intent(message.words) or set_phrase_intent(message.words)
    return None if is_phrase else program_answer(text, message.context)


def _commands(message: MessageText) -> tuple[Command, ...]:
    """Return the commands of a message, without feelings whose words stand on the open card: "mood is sleepy"."""
    prompts = message.context.prompts[:1]
    of_card = {
        name for each in prompts for name in feelings_in(plain_text(f"{each.text} {each.picture} {_program(each)}"))
    }
    return tuple(each for each in commands_in(message.tidied) if each not in of_card)


def _program(prompt: Prompt) -> str:
    return prompt.key.program if isinstance(prompt.key, TraceKey) else ""


def _picked_idea(message: MessageText) -> MessageAnalysis | None:
    """Return the analysis of a message that is the course's own sentence on an idea: the label of a button."""
    course, said = message.context.course, message.typed.strip().casefold()
    for idea in course.misconceptions.values() if course is not None else ():
        stated = idea.says.casefold().rstrip(".")
        # Also with a reason behind it: "nothing can be less than zero cuz i cant have less than no cookies". Not "… is wrong".
        with_reason = len(stated.split()) >= WORDS_OF_AN_IDEA and REASON.match(said.removeprefix(stated).lstrip(" ,"))
        if said.rstrip(".") == stated or (said.startswith(f"{stated} ") and with_reason):
            shown = Evidence(id=idea.id, probability=EXACT_PROBABILITY, quote=message.typed.strip())
            return MessageAnalysis(intents=(("idea", EXACT_PROBABILITY),), misconceptions=(shown,))
        if said == idea.correct_idea.casefold():
            return MessageAnalysis(intents=(("idea", EXACT_PROBABILITY),), commands=("meant_same",))
    return None


@dataclass(frozen=True, slots=True)
class _Replies:
    """What a message answers."""

    answers: tuple[AnswerGiven, ...]
    exact: bool
    """The whole message is an answer."""
    states: bool
    """It is a statement about numbers."""
    may_answer: bool

    @property
    def judged(self) -> bool:
        return any(each.verdict in ("right", "wrong", "partly") for each in self.answers)


def _read_replies(
    message: MessageText, likely: Intents, commands: tuple[Command, ...], *, is_unsure: bool, asks_sum: bool
) -> _Replies:
    """Return the answers of a message to the open prompt and to earlier ones."""
    message = _answer_before_question(message)
    # "9 + 9 = 18" is a statement, not a sum to work out; "how is 1/8 smaller if 8 is bigger" is none.
    asks = "?" in message.typed or asks_openly(message.words)
    states = bool(message.claims) and not asks and not asks_sum
    says = is_unsure or states or any(intent in SAYING_INTENTS for intent, _chance in likely)
    may_answer = says and "why_asked" not in commands
    is_reply = states or any(
        intent in SAYING_INTENTS and chance >= POSSIBLE_REPLY_FROM for intent, chance in likely[:1]
    )
    given = answers.answers_in(message, may_answer=may_answer, is_reply=is_reply)
    # "how long is left" is no late answer to a question that was left.
    first = message.context.prompts[0].id if given else ""
    given = tuple(each for each in given if each.to == first or not asks_openly(each.value))
    exact = bool(given) and bool(answers.bare_answer(message))
    return _Replies(answers=given, exact=exact, states=states, may_answer=may_answer)


def _answer_before_question(message: MessageText) -> MessageText:
    """Return the first sentence of a message if it is an answer and the rest asks: "B. But what is a half?"; else the message."""
    first, *rest = sentences(message.typed) or ("",)
    answer = make_message(first, message.context)
    asks = len(" ".join(rest).split()) >= WORDS_OF_A_QUESTION and any(is_asking(plain_text(each)) for each in rest)
    if not asks or not message.context.is_replying:
        return message
    found = answers.answers_in(answer, may_answer=True, is_reply=True)
    is_right = any(each.verdict == "right" and each.to == message.context.prompts[0].id for each in found)
    return answer if answers.bare_answer(answer) or (is_right and message.context.has_open_card) else message


def _wanted_sum(message: MessageText, does: Intents) -> str:
    """Return the calculation or conversion that a message asks for; empty for none."""
    if not any(intent in SUM_INTENTS for intent, _chance in does):
        return ""
    if message.context.is_about_programs and not is_only_calculation(message.typed):
        return ""
    return find_requested_calculation(message.typed) or find_requested_calculation(message.tidied)


def _asks_only_a_sum(message: MessageText) -> bool:
    """Tell whether a message is a request for a conversion or a calculation and nothing else.

    "-3 -1 0 2" is one, unless the open question asks for numbers in order.
    """
    prompt = message.context.prompts[0] if message.context.prompts else None
    if (
        prompt is not None
        and isinstance(prompt.key, OrderKey)
        and grade(prompt.key, message.typed).verdict != "unparsable"
    ):
        return False
    return is_only_conversion(message.typed) or (not message.claims and is_only_calculation(message.typed))


def _likely(message: MessageText) -> tuple[Intents, bool]:
    """Return the likely intents, and whether they are unsure; a button's label and a set phrase are certain."""
    if wish := button_intent(message.words) or set_phrase_intent(message.words):
        return ((wish, EXACT_PROBABILITY),), False
    found = intents.intents_of(message)
    if found.is_unsure and any(set_phrase_intent(each) == "pause_or_stop" for each in _CLAUSE.split(message.words)):
        return (("pause_or_stop", EXACT_PROBABILITY),), False  # "enough for today thanks, my shift starts soon"
    likeliest = found.found[0][0] if found.found else "nonsense"
    if (
        (found.is_unsure or likeliest in SAYING_INTENTS)
        and _SOUNDS_LIKE_WISH.match(message.words)
        and not message.claims
    ):
        taught = message.context.concept
        wished = named_topics.find_requested_topics(message, least=CLEARLY_REQUESTED_FROM)
        if wished and (taught is None or wished[0].concept != taught.id):
            return (("change_topic", CLEARLY_REQUESTED_FROM),), False
    return found.found, found.is_unsure


def _written_concern(context: Context) -> ConcernSignal | None:
    """Return the concern in words written on an attached drawing or photo, or None."""
    return detector.find_concern(context.drawn_words) if context.drawn_words else None


def _intents(
    found: Intents, given: tuple[AnswerGiven, ...], concern: ConcernSignal | None, *, exact: bool, states: bool
) -> Intents:
    """Return the intents, what was parsed exactly first: danger, a bare answer, a value that was asked for."""
    if concern is not None and concern.kind != "unsafe_request":
        # An unsure concern is reported as no less likely than even. Chosen by hand.
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


def _planner_requests(text: str, context: Context, concern: ConcernSignal | None) -> tuple[PlannerRequest, ...]:
    """Return what a message asks of the planner; nothing of one that needs care first."""
    return read_requests(text, context.companion) if context.companion is not None and concern is None else ()


def _is_right(given: tuple[AnswerGiven, ...]) -> bool:
    return any(each.verdict == "right" for each in given)


def _milestones(said: tuple[Evidence, ...], given: tuple[AnswerGiven, ...], context: Context) -> tuple[Evidence, ...]:
    """Return the milestones that count: beside an open card that is not answered right, only the surest."""
    if not context.has_open_card or _is_right(given):
        return said
    return () if given else tuple(each for each in said if each.probability >= SURE_BESIDE_CARD)


def _claims(message: MessageText, *, judged: bool) -> tuple[ArithmeticClaim, ...]:
    """Return the numeric claims; of a message that comes a part of the way to the answer, the step that it has made."""
    step = None if judged or not all(each.holds for each in message.claims) else number_answers.claimed_step(message)
    return message.claims if step is None else (step,)


def _states_truth(message: MessageText) -> bool:
    """Tell whether a message makes true numeric claims and gives no reason: "6/7 - 6/7 is nothing"."""
    return all(each.holds for each in message.claims) and bool(message.claims) and not REASON.search(message.words)


def _nearest_idea(message: MessageText, likeliest: Intents, *, is_unsure: bool) -> str:
    """Return the misconception that a message's claims are about; empty if it claims nothing."""
    course, concept = message.context.course, message.context.concept
    # "if i cut it there it is always a half" sounds like a question, and asks nothing.
    says = is_unsure or any(intent in SAYING_INTENTS for intent, _chance in likeliest)
    if course is None or concept is None or message.claims or not (says and message.claimed):
        return ""
    if likely := likely_misconception(message.likeliest_ideas, message.context):
        return likely
    least = NEAR_IDEA_IF_UNSURE if is_unsure else NEAR_IDEA
    return find_nearest_idea(message.tidied, course=course, concept=concept, least=least)


def _nearest_choices(message: MessageText, likeliest: Intents, *, is_unsure: bool) -> tuple[str, ...]:
    """Return the choices of the open card that a message comes nearest to, or the numbers in it that may be the answer.

    Empty if it only asks or wishes something.
    """
    says = is_unsure or any(intent in SAYING_INTENTS | {"correction_of_tutor"} for intent, _chance in likeliest)
    on_card = message.context.prompts[0].instance if message.context.is_replying else None
    if on_card is None or not says:
        return ()
    return nearest_choices(on_card, message.tidied) or number_answers.numbers_offered(message)


def _nearest_sentence(message: MessageText, asked: QuestionAsked | None) -> str:
    """Return the sentence of the lesson that is nearest to a message, unless the course answers it."""
    course, concept = message.context.course, message.context.concept
    if course is None or concept is None or (asked is not None and asked.answer is not None):
        return ""
    return find_nearest_sentence(message.tidied, course=course, concept=concept)


def _is_about_idea(message: MessageText) -> bool:
    """Tell whether a message is about an idea of the concept that is taught: "a dead neuron passes on nothing"."""
    course, concept = message.context.course, message.context.concept
    return (
        course is not None
        and concept is not None
        and bool(find_nearest_idea(message.tidied, course=course, concept=concept))
    )


def _repeats_question(message: MessageText) -> bool:
    """Tell whether a message is in words of the open question: "however often I weigh myself", about somebody on a scale."""
    asked = content_words(plain_text(message.context.question))
    return len(asked & content_words(message.figures)) >= REPEATED_WORDS


def _solves(given: tuple[AnswerGiven, ...], context: Context) -> bool:
    """Tell whether the open question is answered right; a calculation asked for is no answer in words."""
    return (
        context.is_replying
        and context.prompts[0].key is not None
        and any(each.to == context.prompts[0].id and each.verdict == "right" for each in given)
    )


def _may_name_topic(does: Intents, context: Context) -> bool:
    """Tell whether a name in the message may be a wish: at a lesson's ends, or with an intent to learn something."""
    ends = context.is_over or any(each.kind == "summary" for each in context.prompts[:1])
    return context.concept is None or ends or any(intent in LEARNING_INTENTS for intent, _chance in does)


def _names(message: MessageText, does: Intents, commands: Sequence[Command]) -> tuple[NamedTopic, ...]:
    """Return the topics that are named; without a wish to learn only those that are all of the message.

    Who says to know no such topic names it by its title: "I don't know Simplest form".
    """
    if message.context.concept is not None and _ASKS_WHY.match(message.words) and not named_topics.is_titled(message):
        return ()  # "why is there a 2 in front, we can put it in the rate": about what is taught.
    found = named_topics.find_named_topics(message)
    is_vague = not any(each.is_sure for each in found)
    if "switch" in commands and is_vague and (target := _AFTER_SWITCH.search(message.words)):
        # The words around it weaken what is asked for: "can I skip to subtracting".
        target_named = make_message(target[1], message.context)
        found = (
            named_topics.find_named_topics(target_named) or named_topics.find_requested_topics(target_named) or found
        )
    if _requests(does) and not named_topics.is_titled(message):
        # What is clearly requested counts before a likeness to a name, and settles which of several is meant.
        meant = {each.concept for each in found if each.concept}
        is_clear = any(each.is_sure for each in found if each.concept)
        asked = named_topics.find_requested_topics(
            message, least=CLEARLY_REQUESTED_FROM if is_clear else REQUESTED_FROM
        )
        if asked and asked[0].concept not in {each.concept for each in found if each.is_sure}:
            found = asked if is_clear or not meant or asked[0].concept in meant else found
    likeliest = does[0][0] if does else ""
    if not found and message.context.concept is None and likeliest != "ask_quiz":
        found = named_topics.find_wished_course(message)
    elif not found and likeliest in ("change_topic", "goal"):
        found = named_topics.find_wished_topics(message)
    if {"switch", "leave_out"} & set(commands) or _may_name_topic(does, message.context):
        return found
    by_title = "unknown" in commands and named_topics.is_titled(message)
    return tuple(each for each in found if each.is_all or by_title)


def _requests(does: Intents) -> bool:
    return any(intent in REQUESTING_INTENTS for intent, _chance in does[:1])


def _routed(message: MessageText, does: Intents) -> RoutingDecision | None:
    """Return the routing decision if the message may leave the current activity, else None."""
    context = message.context
    under_way = context.concept is not None
    if under_way and not any(intent in LEAVING_INTENTS for intent, _chance in does):
        return None
    situation = RoutingSituation(
        has_topic=under_way, in_quiz=context.in_quiz, cycle_over=context.is_over, placing=context.is_placing
    )
    return select_agent(message.typed, situation=situation, intents=does)


def _question(message: MessageText) -> QuestionAsked | None:
    """Return the question in a message, with the index of the course's answer to it."""
    asked = next((each for each in sentences(message.words) if is_asking(each)), message.words)
    context = message.context
    if context.course is None or context.concept is None:
        return QuestionAsked(text=asked)
    answer = find_answer_to(message.words, course=context.course, concept=context.concept)
    about = next((each for each in context.course.concepts if answer in each.answers), None) if answer else None
    if about is None or answer is None:
        return QuestionAsked(text=asked)
    return QuestionAsked(text=asked, topic=about.id, answer=about.answers.index(answer))


def _asked(
    message: MessageText, does: Intents, *, is_unsure: bool, says_else: bool, is_read: bool, sure: float
) -> tuple[QuestionAsked | None, str]:
    """Return the question in the message, and the topic of a question about the system; the nearer of both counts."""
    likeliest = does[0][0] if does else "nonsense"
    # "what is it good for, it stays the same" sounds like an idea, and claims nothing.
    only_asks = asks_openly(message.words) and not message.claimed
    asks = _question(message) if only_asks or any(intent in ASKING_INTENTS for intent, _chance in does) else None
    # "so you could have three equal parts?", "idk what a product is".
    wonders = message.typed.rstrip().endswith("?") and (is_unsure or likeliest in ("ask_hint", "idea"))
    if (is_unsure or only_asks or wonders or likeliest not in SAYING_INTENTS) and not says_else:
        lacks = likeliest in HELPLESS_INTENTS and bool(_ASKS_WHAT.search(message.words))
        explains = bool(find_explained_topic(message.tidied)) or bool(_ASKS_REASON.search(message.words))
        may_ask = wonders or lacks or only_asks or explains or likeliest in SUBJECT_INTENTS
        asks = _frequent_question(message, asks, may_ask=may_ask)
    is_aside = likeliest in ASIDE_INTENTS or (is_unsure and likeliest not in REQUESTING_INTENTS)
    is_worded = asks is not None and asks.probability >= EXACT_PROBABILITY
    if is_read or is_worded or not (is_aside or likeliest in LIKE_ASIDES):
        return asks, ""
    sure = max(sure, SURE if likeliest == "question_meta" else SURER if is_aside else SUREST)
    if asks is not None and asks.probability >= (KNOWN_FROM if likeliest == "question_meta" else ASKED_FROM):
        sure = SUREST
    topic, likeness = find_system_question(message, sure=sure)
    if topic == "print" and not _PAPER.search(message.words):
        topic = ""  # "how would i print the word pages": a program does.
    is_likelier = asks is not None and asks.probability >= max(VERY_LIKELY, likeness)
    return asks, "" if is_likelier else topic


def _asked_beside(message: MessageText) -> QuestionAsked | None:
    """Return the question that a message asks besides giving an answer: "4. But why do we share?"; None without one."""
    asking = next((each for each in sentences(message.tidied)[1:] if is_asking(each)), "")
    return _frequent_question(make_message(asking, message.context), None, may_ask=True) if asking else None


def _frequent_question(message: MessageText, asks: QuestionAsked | None, *, may_ask: bool) -> QuestionAsked | None:
    """Return the frequent question of the course that the message asks; else what is known already.

    A very likely one counts before an answer found by patterns, and whatever the intent is.
    """
    taught = message.context.course
    courses = (taught,) if taught is not None else message.context.courses
    asking = [each for each in sentences(message.tidied) if is_asking(each)]
    # "why is -3 lower than -1? 3 is more than 1": what is asked may stand in one sentence of several.
    clauses = [clause[1] for each in asking[:1] if (clause := _ASKING_CLAUSE.search(each))]
    texts = dict.fromkeys((message.tidied, *asking[:1], *clauses))
    here = message.context.concept.id if message.context.concept is not None else ""
    near = (
        (found, each.id)
        for each in courses
        for text in texts
        if (found := find_frequent_question(text, course=each, here=here))
    )
    found, course = max(near, key=lambda each: each[0][2], default=(None, ""))
    is_known = asks is not None and asks.answer is not None and asks.topic == here
    if found is None:
        return asks
    concept, answer, probability = found
    # What is asked of the concept that is taught may be less likely than what another one answers.
    if not here:
        least = ANYWHERE_FROM
    elif concept != here:
        least = ELSEWHERE_FROM
    elif not may_ask:
        least = VERY_LIKELY
    else:
        least = KNOWN_FROM if is_known else 0.0
    if probability < least:
        return asks
    return QuestionAsked(
        text=message.words,
        topic=concept,
        answer=answer,
        probability=probability,
        course="" if taught is not None else course,
    )
