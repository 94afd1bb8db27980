"""Decides what follows from a message and the state of the conversation. Pure; a table of tests checks it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tutoring.dialogue.act_rules import asks_own_files, checked_claim, find_act, override_act
from tutoring.dialogue.lesson_effects import lesson_effects
from tutoring.dialogue.situation import DialogueState
from tutoring.lesson.response_plan import (
    Act,
    BeginLesson,
    ClaimKnown,
    Decision,
    Destination,
    DisownTopic,
    Effect,
    GiveEarnedHint,
    GiveUp,
    LeaveDetour,
    NoteConcern,
    PauseQuiz,
    PlacementRequest,
    RecordAnswer,
    ResponsePlan,
    SetGoal,
    SwitchConcept,
    routing_fields,
)
from tutoring.lesson.state import WHOLE_CONCEPT
from tutoring.understanding.classifiers.intents import CERTAIN
from tutoring.understanding.classifiers.questions import VERY_LIKELY
from tutoring.understanding.message_analysis import Intent, MessageAnalysis, NamedTopic
from tutoring.understanding.parsing.assertions import asks_closed, asks_openly
from tutoring.understanding.parsing.commands import Command

EXACT: Final = 0.99
# "which model are you", "how does this work".
_TO_PROGRAM: Final = re.compile(r"\b(?:you|your|u|this)\b")
REMARKS: Final[frozenset[Act]] = frozenset({"other", "unjudged", "wrong", "idea_partly"})
"""Acts of words that answer no question."""
NAMING_ACTS: Final = frozenset({"hint_request", "other", "go_on"})
"""Acts of messages that may be nothing but the name of a topic: "adding fractions please"."""
COMMAND_ACTS: Final = frozenset({"abandon", "skip", "stuck"})
"""Commands to the lesson in certain words, whatever else the message sounds like."""
QUOTED: Final = 80
"""Characters of the message in the reason why the planner serves it."""
LEAVES: Final = frozenset({"pathplanner", "feedback"})
LOBBY_TOPICS: Final[Mapping[Command, str]] = {
    "graded": "exam",
    "find_level": "placement",
    "why_asked": "questions_left",
}
"""Command → what a question without a lesson asks about the system."""
TOPIC_INTENTS: Final[tuple[Intent, ...]] = ("change_topic", "goal")
IDEA_ACTS: Final = frozenset({"idea_said", "idea_partly", "wrong", "unjudged", "misconception"})
"""Acts of messages that say what somebody thinks."""
ONWARD_ACTS: Final = frozenset({"go_on", "resume"})
"""Acts that leave it to the team where to start."""
KNOWN_COMMANDS: Final = frozenset({"known", "known_alone"})
"""Commands by which a learner says to know what is asked."""
PLACEMENT_REQUESTS: Final[dict[Intent, PlacementRequest]] = {
    "ask_hint": "help",
    "ask_answer": "help",
    "ask_example": "help",
    "plan": "path",
    "progress": "verdict",
    "ask_quiz": "quiz",
    "resume": "quiz",
    "pause_or_stop": "pause",
}
MENTIONING: Final[frozenset[Intent]] = frozenset(
    {"progress", "correction_of_tutor", "disagree", "thanks", "emotion_positive", "emotion_negative", "small_talk"}
)
"""Intents of messages that name a lesson and do not ask for it."""
ENDING_MOVES: Final = frozenset({"go_on", "change_direction"})
"""Moves of a model with which a wish to stop means the questions, not the day."""
PLACEMENT_REASONS: Final[Mapping[PlacementRequest, str]] = {
    "path": gettext_noop("The path will be shown after these questions."),
    "verdict": gettext_noop("The answers to these questions aren’t graded."),
    "pause": gettext_noop("The message asks for a break."),
    "stop": gettext_noop("The message asks for the lesson to start now."),
}


def _leaves_out(state: DialogueState, analysis: MessageAnalysis) -> ResponsePlan | None:
    """Return the reply to the wish to do without a lesson that the message names; None without one.

    It names what is not wanted, so it never begins it.
    """
    named = [each for each in analysis.names if each.concept and each.is_sure]
    has_goal = analysis.intent == "goal" and not analysis.is_unsure
    # "do i have to do it on both sides" is a question that the course answers.
    asks = analysis.asks is not None and analysis.asks.probability >= VERY_LIKELY
    if "leave_out" not in analysis.commands or len(named) != 1 or has_goal or asks:
        return None
    to: Destination = "beside_placement" if state.place == "placement" else state.place
    reason = _("The message asks whether a lesson is needed.")
    topic = f"{named[0].course}/{named[0].concept}"
    return ResponsePlan(to=to, act="system", about="skipping", topic=topic, commands=analysis.commands, reason=reason)


def decide(state: DialogueState, analysis: MessageAnalysis | None, *, move: str = "") -> Decision:
    """Return who serves the turn, what is replied to, and what is stored. `analysis` is None for a turn without words.

    `move` is the one that a connected model chose: it counts if the act is open.
    """
    if analysis is None:
        return _without_words(state)
    if analysis.concern is not None:
        return Decision(served=ResponsePlan(to="care"), effects=(NoteConcern(concern=analysis.concern),))
    if asks_own_files(analysis):
        to: Destination = "beside_placement" if state.place == "placement" else state.place
        reason = _("The message asks for something in the learner’s own files.")
        return Decision(served=ResponsePlan(to=to, act="question", commands=analysis.commands, reason=reason))
    if analysis.requests and state.lesson.cycle.state != "feedback_analysing":
        return _for_companion(analysis)
    if disowned := _disowned_topic(state, analysis):
        return disowned
    if state.lesson.cycle.state != "feedback_analysing" and (without := _leaves_out(state, analysis)):
        return Decision(served=without)
    match state.place:
        case "lobby":
            return _in_lobby(state, analysis, move)
        case "placement":
            return _in_placement(state, analysis, move)
        case "lesson":
            return _in_lesson(state, analysis, move)


def _for_companion(analysis: MessageAnalysis) -> Decision:
    """Return that the planner's agents serve the message, beside whatever is under way: no card and no quiz changes."""
    told: dict[str, Any] = {
        "reason": _("The message says: %(quote)s") % {"quote": f"“{analysis.requests[0].quote[:QUOTED]}”."},
        "strategy": "rule",
        "confidence": 1.0,
    }
    if analysis.requests[0].action == "unclear":
        told = routing_fields(analysis.routed)
    return Decision(served=ResponsePlan(to="companion", act="other", requests=analysis.requests, **told))


def _disowned_topic(state: DialogueState, analysis: MessageAnalysis) -> Decision | None:
    """Return the plan with a topic that the placement took as known, and the learner says they do not know."""
    sure = [each for each in analysis.names if each.is_sure and each.course == state.course]
    if state.place != "lesson" or "unknown" not in analysis.commands or len(sure) != 1:
        return None
    if sure[0].concept not in state.taken_as_known:
        return None
    topic = f"{sure[0].course}/{sure[0].concept}"
    reason = _("The message says that the learner doesn’t know a topic after all.")
    waits: tuple[Effect, ...] = (PauseQuiz(),) if state.in_quiz else ()
    effect = DisownTopic(course=sure[0].course, concept=sure[0].concept)
    return Decision(
        served=ResponsePlan(to="path", act="other", disowned=topic, reason=reason), effects=(*waits, effect)
    )


def _without_words(state: DialogueState) -> Decision:
    back: tuple[Effect, ...] = (LeaveDetour(),) if state.detour_is_gone and state.place == "lesson" else ()
    if state.place == "lobby":
        return Decision(served=ResponsePlan(to="lobby"))
    to: ResponsePlan = _placement_response() if state.place == "placement" else ResponsePlan(returned=bool(back))
    return Decision(served=to, effects=(*back, *((GiveEarnedHint(),) if state.kind == "answer" else ())))


# --- Without a topic ---


def _in_lobby(state: DialogueState, analysis: MessageAnalysis, move: str) -> Decision:
    act, found = override_act(*find_act(state, analysis), move)
    about = next((topic for command, topic in LOBBY_TOPICS.items() if command in analysis.commands), "")
    if about and not found.get("about") and act in ("question", "other", "system"):
        act, found = "system", {"about": about}
    sent = analysis.routed
    named = [each for each in analysis.names if each.concept]
    wants_quiz = (analysis.intent == "ask_quiz" and not analysis.is_unsure) or (
        sent is not None and sent.agent == "quiz" and sent.strategy == "rule"
    )
    if not named and (answered := _answered_in_lobby(analysis, act)):
        return answered
    if act == "system" and (wanted := _asked_for(analysis)) is not None:
        # "how does chatgpt work" is asked of this program only where no lesson is about it.
        topic = f"{wanted.course}/{wanted.concept}"
        reason = _("The message asks about the topic of a lesson.")
        return Decision(served=ResponsePlan(to="offers", act="question", offered=(topic,), reason=reason))
    asks_program = act == "system" and analysis.asks is not None and _TO_PROGRAM.search(analysis.asks.text)
    if (act == "calculation" and found.get("statement")) or _asks_beyond_names(analysis, act) or asks_program:
        named = []
    elif analysis.names and (len(named) != 1 or _only_mentions(analysis)):
        offered = tuple(f"{each.course}/{each.concept}" for each in analysis.names)
        reason = (
            _("The message mentions a lesson without asking for it.")
            if len(named) == 1
            else _("The message may be about more than one lesson.")
        )
        return Decision(
            served=ResponsePlan(
                to="offers",
                act=act,
                offered=offered,
                wants_quiz=wants_quiz,
                **(routing_fields(sent) | {"reason": reason}),
            )
        )
    if named:
        return _named_in_lobby(state, analysis, named[0], act, found, wants_quiz=wants_quiz)
    if sent is not None and sent.agent in LEAVES and state.has_goal and act not in ("greeting", "thanks"):
        return Decision(served=ResponsePlan(to="path", act=act, **routing_fields(sent)))
    leaves_it = act in ONWARD_ACTS or analysis.agrees or analysis.system_topic == "next"
    if state.suggested and not state.has_goal and leaves_it:
        course, _slash, concept = state.suggested.partition("/")
        reason = _("The message lets the team choose where to start.")
        served = ResponsePlan(act="moved", topic=state.suggested, reason=reason)
        return Decision(served=served, effects=(BeginLesson(course=course, concept=concept),))
    if analysis.system_topic == "next" and not state.has_goal:
        act = "go_on"  # "what do we do now": somewhere to start is suggested.
    if act == "goodbye":
        return Decision(served=ResponsePlan(to="lobby", act=act, reason=_("The message says goodbye.")))
    by_code = sent is not None and sent.agent is None and not move and analysis.read_by != "model"
    outside = analysis.intent == "off_topic" or by_code
    talks = act in ("feeling", "joy", "small_talk", "system", "insult", "nonsense", "thanks", "calculation", "greeting")
    if outside and not talks:
        return Decision(served=ResponsePlan(to="lobby", act="off_topic", **routing_fields(sent)))
    why = {
        "reason": _("The message asks for a quiz, but the topic isn’t clear yet.")
        if wants_quiz
        else _("No topic has been chosen yet.")
    }
    told = routing_fields(sent) if sent is not None and sent.agent in ("tutor", None) else routing_fields(sent) | why
    return Decision(
        served=ResponsePlan(
            to="lobby",
            act=act,
            commands=analysis.commands,
            wants_quiz=wants_quiz,
            **({"unsure": sent is not None and sent.unsure} | found | (told or why)),
        )
    )


def _asks_beyond_names(analysis: MessageAnalysis, act: Act) -> bool:
    """Tell whether a message asks something openly and only touches the topics it names: "how does sleep affect attention"."""
    asks = analysis.asks
    is_open = act in ("question", "system") and asks is not None and asks.answer is None and asks_openly(asks.text)
    return is_open and any(each.concept for each in analysis.names) and not any(each.is_all for each in analysis.names)


def _asked_for(analysis: MessageAnalysis) -> NamedTopic | None:
    """Return the lesson that a whole question asks for; None for none, or if this program is asked about itself."""
    asked = analysis.asks.text.casefold().strip(" ?") if analysis.asks is not None else ""
    sure = [each for each in analysis.names if each.concept and each.is_sure]
    found = next((each for each in sure if each.quote.casefold().strip(" ?") == asked), None)
    return None if _TO_PROGRAM.search(asked) else found


def _only_mentions(analysis: MessageAnalysis) -> bool:
    """Tell whether a message names a lesson and does not ask for it: "I already finished it", "is it like a nerve cell?"."""
    if any(each.is_all for each in analysis.names):
        return False
    asks = analysis.asks
    wonders = asks is not None and asks.answer is None and asks_closed(asks.text)
    return wonders or analysis.intent in MENTIONING


def _answered_in_lobby(analysis: MessageAnalysis, act: Act) -> Decision | None:
    """Return how a question is answered that a course answers in words of its own; None for any other message."""
    asks = analysis.asks
    # "i want to make games" is near to an answer about games, and asks nothing.
    if act != "question" or asks is None or not asks.course or asks.answer is None or analysis.wants(*TOPIC_INTENTS):
        return None
    topic = f"{asks.course}/{asks.topic}"
    reason = _("A course has an answer to this question.")
    served = ResponsePlan(to="offers", act=act, offered=(topic,), topic=topic, answer=asks.answer, reason=reason)
    return Decision(served=served)


def _named_in_lobby(
    state: DialogueState,
    analysis: MessageAnalysis,
    named: NamedTopic,
    act: Act,
    found: dict[str, object],
    *,
    wants_quiz: bool,
) -> Decision:
    topic = f"{named.course}/{named.concept}"
    if wants_quiz:
        begin = BeginLesson(course=named.course, concept=named.concept)
        return Decision(
            served=ResponsePlan(act="quiz_request", topic=topic, **routing_fields(analysis.routed)), effects=(begin,)
        )
    if act == "question" and analysis.asks is not None and analysis.asks.answer is not None:
        return Decision(
            served=ResponsePlan(
                to="offers",
                act=act,
                offered=(topic,),
                topic=topic,
                answer=analysis.asks.answer,
                **routing_fields(analysis.routed),
            )
        )
    if topic in state.worth_placing:
        return Decision(served=_new_topic(topic, analysis))
    effects: tuple[Effect, ...] = (BeginLesson(course=named.course, concept=named.concept),)
    is_goal = analysis.routed is not None and analysis.routed.agent == "diagnostic"
    if is_goal or named.is_all or analysis.wants(*TOPIC_INTENTS, "go_on"):
        effects = (*effects, SetGoal())
    return Decision(served=ResponsePlan(act="moved", topic=topic), effects=effects)


# --- While somebody is being placed ---


def _in_placement(state: DialogueState, analysis: MessageAnalysis, move: str) -> Decision:
    if answered := _answer_to_card(state, analysis):
        return Decision(served=_placement_response(), effects=(RecordAnswer(value=answered),))
    act, found = find_act(state, analysis)
    other = _other_topic(state, analysis, state.placement.topic)
    if other is not None and analysis.wants(*TOPIC_INTENTS, "ask_quiz") and "known" not in analysis.commands:
        topic = f"{other.course}/{other.concept}"
        if topic in state.worth_placing:
            return Decision(served=_new_topic(topic, analysis))
        return Decision(
            served=ResponsePlan(act="moved"), effects=(SwitchConcept(course=other.course, concept=other.concept),)
        )
    if "switch" in analysis.commands and any(each.concept == state.placement.topic for each in analysis.names):
        begin = SwitchConcept(course=state.course, concept=state.placement.topic)
        return Decision(served=ResponsePlan(act="moved"), effects=(begin,))
    if state.question is not None and (act == "harder" or KNOWN_COMMANDS & set(analysis.commands)):
        return Decision(
            served=_placement_response(reason=_("The message says that the learner already knows this.")),
            effects=(ClaimKnown(),),
        )
    if {"stop_placement", "leave_quiz"} & set(analysis.commands):
        return Decision(served=_placement_response("stop", _("The message asks for the lesson to start now.")))
    if act in ("does_not_know", "skip", "stuck") and state.question is not None:
        return Decision(served=_placement_response(), effects=(GiveUp(),))
    if found.get("about") == "back":
        return Decision(served=_placement_response())  # Its question is asked again: that is where they were.
    if act == "answer_demand":
        return Decision(served=_placement_response("help", _("The message asks for help with a question.")))
    if "why_asked" in analysis.commands:
        return Decision(served=_placement_response("purpose", _("The message asks what these questions are for.")))
    if analysis.system_topic == "next":
        return Decision(served=_placement_response("path", _(PLACEMENT_REASONS["path"])))
    wish = PLACEMENT_REQUESTS.get(analysis.intent, "")
    if wish == "pause" and move in ENDING_MOVES:
        wish = "stop"
    if wish and not analysis.is_unsure and not analysis.system_topic and act not in ("system", "calculation"):
        return Decision(served=_placement_response(wish, _(PLACEMENT_REASONS.get(wish, ""))))
    if act in IDEA_ACTS and analysis.claims:
        act, found = "claim", checked_claim(analysis)
    if act in IDEA_ACTS:
        said = _placement_response("idea")
        idea = str(found.get("misconception", ""))
        return Decision(served=replace(said, misconception=idea, nearest=analysis.nearest_idea))
    if act in ("go_on", "other"):
        return Decision(served=_placement_response())
    reason = _("The message is about something else, so the question stays open.")
    beside = ResponsePlan(to="beside_placement", act=act, reason=reason, commands=analysis.commands, **found)
    return Decision(served=beside)


def _placement_response(wish: PlacementRequest = "", reason: str = "") -> ResponsePlan:
    return ResponsePlan(
        to="placement", wish=wish, reason=reason or _("These questions are about topics that your goal builds on.")
    )


# --- In a lesson ---


def _in_lesson(state: DialogueState, analysis: MessageAnalysis, move: str) -> Decision:
    if state.lesson.cycle.state == "feedback_analysing":
        return Decision()
    if _wants_back(state, analysis):
        return Decision(served=ResponsePlan(returned=True, act="moved"), effects=(LeaveDetour(),))
    if moved := _moves_on(state, analysis):
        return moved
    act, found = override_act(*find_act(state, analysis), move)
    if state.path_is_due:
        return Decision(
            served=ResponsePlan(
                to="path", act=act, strategy="current", confidence=1.0, reason=_("The path hasn’t been shown yet.")
            )
        )
    if state.has_not_begun and state.stopped_placement and act in ("resume", "quiz_request"):
        topic = f"{state.course}/{state.stopped_placement}"
        return Decision(
            served=ResponsePlan(to="new_topic", topic=topic, reason=_("The questions pick up where they left off."))
        )
    if state.has_not_begun and "begin" in analysis.commands and not analysis.names:
        return Decision(served=ResponsePlan(act="go_on", commands=analysis.commands))
    if elsewhere := _elsewhere(state, analysis, act):
        return elsewhere
    answered = _answer_to_card(state, analysis)
    if answered and state.lesson.contrast and act == "idea_said":
        answered = ""
    if answered and "ventured" in analysis.commands:
        return Decision(served=ResponsePlan(act="ventured", quote=_said_answer(state, answered)))
    if answered:
        wish: PlacementRequest = "stop" if analysis.wants("pause_or_stop") else ""
        does: Act = "contest" if analysis.wants("disagree") else "moved"
        asks = analysis.asks if analysis.asks_what_course_answers else None
        topic, known = (asks.topic, asks.answer) if asks is not None else ("", None)
        # "8 × 6 is 46 and 3 × 4 is 12, so 58": the step that went wrong.
        slip = next((each.statement for each in analysis.claims if not each.holds and "=" in each.statement), "")
        served = ResponsePlan(act=does, wish=wish, topic=topic, answer=known, statement=slip)
        return Decision(served=served, effects=(RecordAnswer(value=answered),))
    if _is_unanswered(state, analysis, act) and found.get("answer") is None:
        served = ResponsePlan(act="question", commands=analysis.commands, sentence=analysis.nearest_sentence)
        return Decision(served=served, effects=tuple(lesson_effects(state, analysis, "question")))
    if state.question is not None and state.question.is_unseen:
        if act in REMARKS:
            return Decision(served=ResponsePlan(act="small_talk", about="result"))
        if act == "claim":
            found["about"] = "result"
    nearest = analysis.nearest_idea if act == "unjudged" else ""
    # "half of 8 is 4" is checked, and so is what is not true, whatever choice it resembles.
    is_checked = act == "claim" and ("=" in found["statement"] or not found["holds"])
    is_remark = act in REMARKS or act in ("claim", "tutor_corrected")
    choices = analysis.nearest_choices if is_remark and not is_checked else ()
    served = ResponsePlan(act=act, commands=analysis.commands, nearest=nearest, choices=choices, **found)
    return Decision(served=served, effects=tuple(lesson_effects(state, analysis, act)))


def _is_unanswered(state: DialogueState, analysis: MessageAnalysis, act: Act) -> bool:
    """Tell whether only a sentence of the lesson can be quoted: to a question, or to words beside a card that nobody understood.

    What is said in reply to a question for words, and what a model reads, is answered otherwise.
    """
    beside_card = state.question is not None and not state.question.own_words
    understood = analysis.read_by == "model" or len(analysis.nearest_choices) > 1 or not analysis.nearest_sentence
    return not understood and (act == "question" or (act in ("other", "unjudged") and beside_card))


def _wants_back(state: DialogueState, analysis: MessageAnalysis) -> bool:
    """Tell whether the message leads back from a detour, or the course no longer has the detour's concept."""
    cycle = state.lesson.cycle
    if not cycle.detour or state.detour_is_gone:
        return bool(cycle.detour)
    offered = not state.lesson.piece and cycle.state == "tutor_explaining"
    names_own = any(each.concept == state.own_concept for each in analysis.names)
    return "back" in analysis.commands or names_own or (offered and "decline" in analysis.commands)


def _moves_on(state: DialogueState, analysis: MessageAnalysis) -> Decision | None:
    """Return how the learner goes to the next step, or to another one that they name; None if they do not."""
    sums_up = state.lesson.explaining == WHOLE_CONCEPT
    offered = state.is_over and (not state.lesson.explaining or state.last_agent == "pathplanner")
    wants_next = "leave_step" in analysis.commands and analysis.intent == "go_on"
    wants_next = wants_next or (offered and "next_question" in analysis.commands)
    wants_next = wants_next and not (analysis.system_topic or analysis.names)  # "Can I skip Simplest form?"
    # At a lesson's end, "something harder" is the next lesson.
    agrees = bool({"agree", "harder", "begin"} & {*analysis.commands} or wants_next) and not analysis.wants("thanks")
    other = _other_topic(state, analysis, state.concept)
    rather = "switch" in analysis.commands and other is not None
    quizzes = other is not None and analysis.wants("ask_quiz")
    if quizzes and other is not None:
        move = SwitchConcept(course=other.course, concept=other.concept)
        return Decision(served=ResponsePlan(act="quiz_request", **routing_fields(analysis.routed)), effects=(move,))
    at_a_turn = (offered or state.has_not_begun or sums_up) and "instead" not in analysis.commands
    wished = analysis.wants(*TOPIC_INTENTS, "go_on", "resume", "plan")
    if other is not None and (rather or (at_a_turn and (wished or other.is_all))):
        move = SwitchConcept(course=other.course, concept=other.concept)
        return Decision(
            served=ResponsePlan(act="moved"), effects=(move, SetGoal()) if analysis.wants("goal") else (move,)
        )
    if (
        offered
        and agrees
        and state.next_concept
        and (state.next_concept != state.own_concept or state.lesson.cycle.needs_plan)
    ):
        return Decision(
            served=ResponsePlan(act="moved"), effects=(SwitchConcept(course=state.course, concept=state.next_concept),)
        )
    return None


def _asks_elsewhere(analysis: MessageAnalysis) -> bool:
    """Tell whether a message names what it wants instead of the question, or wants anything else."""
    return bool(analysis.names) or analysis.is_other_subject or "elsewhere" in analysis.commands


def _elsewhere(state: DialogueState, analysis: MessageAnalysis, act: Act) -> Decision | None:
    """Return where a message goes that is not for the lesson; None for one that is. A quiz under way is paused for it."""
    waits: tuple[Effect, ...] = (PauseQuiz(),) if state.in_quiz else ()
    if analysis.system_topic == "next":
        return Decision(served=ResponsePlan(to="path", act=act, about=analysis.system_topic), effects=waits)
    asks = analysis.asks_what_course_answers and _other_topic(state, analysis, state.concept) is None
    if act in COMMAND_ACTS or act == "feeling" or analysis.system_topic or asks:
        return None
    sent = analysis.routed
    if "find_level" in analysis.commands and sent is not None and sent.agent == "diagnostic":
        return Decision(served=_new_topic(f"{state.course}/{state.stopped_placement or state.own_concept}", analysis))
    judged = any(each.verdict != "none" for each in analysis.answers)
    only_names = (bool(analysis.names) and all(each.is_all for each in analysis.names) and not judged) or (
        bool(analysis.names)
        and all(each.is_all or not each.is_sure for each in analysis.names)
        and not analysis.answers
        and act in NAMING_ACTS
    )
    if (analysis.wants(*TOPIC_INTENTS) or only_names) and act not in ("known", "harder"):
        other = _other_topic(state, analysis, state.concept)
        if other is not None:
            return Decision(served=_new_topic(f"{other.course}/{other.concept}", analysis), effects=waits)
        # "give me something easier" is about the question.
        named = "elsewhere" in analysis.commands or analysis.intent in TOPIC_INTENTS or only_names
        named = named and "simplify" not in analysis.commands
        if named and state.question is not None and not _asks_elsewhere(analysis):
            # "can we do something with hospitals, not shops": the question stays, and what can be had is said.
            return Decision(
                served=ResponsePlan(
                    act="feeling", about="other_wish", reason=_("The message asks for another question.")
                )
            )
        if named and not any(each.concept == state.concept for each in analysis.names):
            reason = (
                sent.reason
                if sent is not None and sent.agent in LEAVES
                else _("The message asks for something else right now.")
            )
            path = ResponsePlan(
                to="path",
                act=act,
                elsewhere=True,
                offered=tuple(
                    f"{each.course}/{each.concept}"
                    for each in analysis.names
                    if each.concept or each.course != state.course
                ),
                unknown_topic=analysis.is_other_subject and "elsewhere" not in analysis.commands,
                **(routing_fields(sent) | {"reason": reason}),
            )
            return Decision(served=path, effects=waits)
    # "i have to put them in order first", at a card, is a thought about the question and no plan.
    plans = analysis.wants("progress", "plan") and not (
        analysis.is_unsure and state.question is not None and act == "other"
    )
    if plans or (act == "question" and sent is not None and sent.agent in LEAVES):
        of_intent = _OF_INTENT.get(analysis.intent, "")
        agent = sent.agent if sent is not None and sent.agent in LEAVES else of_intent
        if of_intent and agent != of_intent and analysis.intents[0][1] >= CERTAIN:
            # "so where am i at right now" sounds like the path, but its words leave no doubt.
            agent, sent = of_intent, None
        if agent:
            to = ResponsePlan(to="path" if agent == "pathplanner" else "feedback", act=act, **routing_fields(sent))
            return Decision(served=to, effects=waits)
    if analysis.intent == "off_topic" and not analysis.is_unsure:
        reason = (
            sent.reason
            if sent is not None and sent.agent is None
            else _("The message asks for something the team doesn’t do.")
        )
        return Decision(
            served=ResponsePlan(to="nobody", act="off_topic", **(routing_fields(sent) | {"reason": reason}))
        )
    return None


_OF_INTENT: Final[dict[Intent, str]] = {"progress": "feedback", "plan": "pathplanner"}


# --- What several places share ---


def _answer_to_card(state: DialogueState, analysis: MessageAnalysis) -> str:
    """Return the answer that the message gives to the open card; empty for none.

    While a quiz is paused, only an answer resumes it, not a remark with a number in it.
    """
    given = analysis.answer_to(state.question.id) if state.question is not None else None
    if given is None or "known" in analysis.commands:
        return ""
    exact = analysis.intents[:1] == (("answer", EXACT),)
    says_it = given.verdict == "right" or (given.verdict != "none" and analysis.intent == "answer")
    if state.lesson.cycle.paused and not exact and not says_it:
        return ""
    return given.value


def _said_answer(state: DialogueState, answer: str) -> str:
    """Return an answer as it is said: a letter as on the card, and how many parts are shaded instead of which."""
    if state.question is not None and state.question.kind == "shade":
        return str(len(answer.split(",")))
    return answer.upper() if len(answer) == 1 else answer


def _other_topic(state: DialogueState, analysis: MessageAnalysis, current: str) -> NamedTopic | None:
    """Return the one concept that the message surely names, if it is not the current one."""
    sure = [each for each in analysis.names if each.concept and each.is_sure]
    return sure[0] if len(sure) == 1 and sure[0].concept != current else None


def _new_topic(topic: str, analysis: MessageAnalysis) -> ResponsePlan:
    reason = _("A new topic starts with questions about what it builds on.")
    return ResponsePlan(
        to="new_topic",
        topic=topic,
        commands=analysis.commands,
        **(routing_fields(analysis.routed) | {"reason": reason}),
    )
