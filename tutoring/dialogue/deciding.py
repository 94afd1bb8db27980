"""From where a conversation stands, and what a message says, to what follows. Pure: a table of tests holds it."""

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from tutoring.dialogue.acts import act_chosen, act_of
from tutoring.dialogue.decisions import (
    Act,
    BeginLesson,
    Decision,
    EarnedHint,
    Effect,
    GiveUp,
    KeepLesson,
    LeaveDetour,
    LeaveQuiz,
    MoveTo,
    NoteConcern,
    NoteExplanation,
    NoteMilestones,
    NoteMisconceptions,
    NotePractice,
    PauseQuiz,
    PutAway,
    RecordAnswer,
    Served,
    SetGoal,
    TakeHint,
    Wish,
    routed,
)
from tutoring.dialogue.situation import DialogueState
from tutoring.dialogue.state import WHOLE, LessonState
from tutoring.rules.moves import LAST_RUNG
from tutoring.understanding.values import Evidence, Intent, MessageAnalysis, Named

WORKED: Final = LAST_RUNG - 1
"""The hint that is a twin of the question, worked out."""
EXACT: Final = 0.99
COMMANDED: Final = frozenset({"abandon", "skip", "stuck"})
"""Said in certain words to the lesson, whatever else the message sounds like."""
LEAVES: Final = frozenset({"pathplanner", "feedback"})
TO_LEARN: Final[tuple[Intent, ...]] = ("change_topic", "goal")
OF_PLACEMENT: Final[dict[Intent, Wish]] = {
    "ask_hint": "help",
    "ask_answer": "help",
    "ask_example": "help",
    "plan": "path",
    "progress": "verdict",
    "ask_quiz": "quiz",
    "resume": "quiz",
    "pause_or_stop": "stop",
}


def decide(state: DialogueState, analysis: MessageAnalysis | None, *, move: str = "") -> Decision:
    """Return who serves the turn, what is replied to, and what is stored. `analysis` is None for a turn without words.

    `move` is the one that a connected model chose: it counts where the act is open.
    """
    if analysis is None:
        return _without_words(state)
    if analysis.concern is not None:
        return Decision(served=Served(to="care"), effects=(NoteConcern(concern=analysis.concern),))
    match state.place:
        case "lobby":
            return _in_lobby(state, analysis, move)
        case "placement":
            return _in_placement(state, analysis, move)
        case "lesson":
            return _in_lesson(state, analysis, move)


def _without_words(state: DialogueState) -> Decision:
    back: tuple[Effect, ...] = (LeaveDetour(),) if state.detour_is_gone and state.place == "lesson" else ()
    if state.place == "lobby":
        return Decision(served=Served(to="lobby"))
    to: Served = _placed() if state.place == "placement" else Served(returned=bool(back))
    return Decision(served=to, effects=(*back, *((EarnedHint(),) if state.kind == "answer" else ())))


# --- Without a topic ---


def _in_lobby(state: DialogueState, analysis: MessageAnalysis, move: str) -> Decision:
    act, found = act_chosen(*act_of(state, analysis), move)
    sent = analysis.routed
    named = [each for each in analysis.names if each.concept]
    wants_quiz = (analysis.intent == "ask_quiz" and not analysis.is_unsure) or (
        sent is not None and sent.agent == "quiz" and sent.strategy == "rule"
    )
    if len(named) > 1 or (analysis.names and not named):
        offered = tuple(f"{each.course}/{each.concept}" for each in analysis.names)
        reason = _("More than one lesson may be meant.")
        return Decision(
            served=Served(
                to="offers", act=act, offered=offered, wants_quiz=wants_quiz, **(routed(sent) | {"reason": reason})
            )
        )
    if named:
        return _named_in_lobby(state, analysis, named[0], act, found, wants_quiz=wants_quiz)
    if sent is not None and sent.agent in LEAVES and state.has_goal and act not in ("greeting", "thanks"):
        return Decision(served=Served(to="path", act=act, **routed(sent)))
    by_code = sent is not None and sent.agent is None and not move and analysis.read_by != "model"
    outside = analysis.intent == "off_topic" or by_code
    talks = act in ("feeling", "joy", "small_talk", "system", "insult", "nonsense", "thanks", "calculation", "greeting")
    if outside and not talks:
        return Decision(served=Served(to="lobby", act="off_topic", **routed(sent)))
    why = {
        "reason": _("Wants to be questioned; on what is still to say.") if wants_quiz else _("No topic is chosen yet.")
    }
    told = routed(sent) if sent is not None and sent.agent in ("tutor", None) else routed(sent) | why
    return Decision(
        served=Served(
            to="lobby",
            act=act,
            commands=analysis.commands,
            wants_quiz=wants_quiz,
            **({"unsure": sent is not None and sent.unsure} | found | (told or why)),
        )
    )


def _named_in_lobby(
    state: DialogueState,
    analysis: MessageAnalysis,
    named: Named,
    act: Act,
    found: dict[str, object],
    *,
    wants_quiz: bool,
) -> Decision:
    topic = f"{named.course}/{named.concept}"
    if wants_quiz:
        begin = BeginLesson(course=named.course, concept=named.concept)
        return Decision(served=Served(act="quiz_request", topic=topic, **routed(analysis.routed)), effects=(begin,))
    if act == "question" and analysis.asks is not None and analysis.asks.answer is not None:
        return Decision(
            served=Served(
                to="offers",
                act=act,
                offered=(topic,),
                topic=topic,
                answer=analysis.asks.answer,
                **routed(analysis.routed),
            )
        )
    if topic in state.worth_placing:
        return Decision(served=_new_topic(topic, analysis))
    effects: tuple[Effect, ...] = (BeginLesson(course=named.course, concept=named.concept),)
    is_goal = analysis.routed is not None and analysis.routed.agent == "diagnostic"
    if is_goal or named.is_all or analysis.wants(*TO_LEARN, "go_on"):
        effects = (*effects, SetGoal())
    return Decision(served=Served(act="moved", topic=topic), effects=effects)


# --- While somebody is being placed ---


def _in_placement(state: DialogueState, analysis: MessageAnalysis, move: str) -> Decision:
    if answered := _answer_to_card(state, analysis):
        return Decision(served=_placed(), effects=(RecordAnswer(value=answered),))
    act, found = act_of(state, analysis)
    other = _other_topic(state, analysis, state.placement.topic)
    if other is not None and analysis.wants(*TO_LEARN, "ask_quiz") and "known" not in analysis.commands:
        topic = f"{other.course}/{other.concept}"
        if topic in state.worth_placing:
            return Decision(served=_new_topic(topic, analysis))
        return Decision(served=Served(act="moved"), effects=(MoveTo(course=other.course, concept=other.concept),))
    if {"stop_placement", "leave_quiz"} & set(analysis.commands):
        return Decision(served=_placed("stop", _("The learner wants to begin now.")))
    if act in ("does_not_know", "skip", "stuck") and state.question is not None:
        return Decision(served=_placed(), effects=(GiveUp(),))
    if "why_asked" in analysis.commands:
        return Decision(served=_placed("purpose", _("A question about the placement.")))
    wish = OF_PLACEMENT.get(analysis.intent, "")
    if wish == "stop" and move == "pause":
        wish = "pause"
    if wish and not analysis.is_unsure:
        reason = {
            "path": _("The path comes after the placement."),
            "verdict": _("A placement judges nothing."),
            "stop": _("The learner wants to begin now."),
        }.get(wish, _("Questions on what the goal rests on."))
        return Decision(served=_placed(wish, reason))
    if (
        act in ("go_on", "other", "idea_said", "idea_partly", "wrong", "unjudged", "misconception")
        or analysis.is_unsure
    ):
        return Decision(served=_placed())
    reason = _("A question beside the placement, which waits.")
    beside = Served(to="beside_placement", act=act, reason=reason, commands=analysis.commands, **found)
    return Decision(served=beside)


def _placed(wish: Wish = "", reason: str = "") -> Served:
    return Served(to="placement", wish=wish, reason=reason or _("Questions on what the goal rests on."))


# --- In a lesson ---


def _in_lesson(state: DialogueState, analysis: MessageAnalysis, move: str) -> Decision:
    if state.lesson.cycle.state == "feedback_analysing":
        return Decision()
    if _wants_back(state, analysis):
        return Decision(served=Served(returned=True, act="moved"), effects=(LeaveDetour(),))
    if moved := _moves_on(state, analysis):
        return moved
    act, found = act_chosen(*act_of(state, analysis), move)
    if state.path_is_due:
        return Decision(
            served=Served(
                to="path", act=act, strategy="current", confidence=1.0, reason=_("The way is still to be shown.")
            )
        )
    if state.has_not_begun and state.stopped_placement and act in ("resume", "quiz_request"):
        topic = f"{state.course}/{state.stopped_placement}"
        return Decision(
            served=Served(to="new_topic", topic=topic, reason=_("Goes on with the placement that was stopped."))
        )
    if elsewhere := _elsewhere(state, analysis, act):
        return elsewhere
    answered = _answer_to_card(state, analysis)
    if answered and state.lesson.contrast and act == "idea_said":
        answered = ""
    if answered:
        wish: Wish = "stop" if analysis.wants("pause_or_stop") else ""
        does: Act = "contest" if analysis.wants("disagree") else "moved"
        return Decision(served=Served(act=does, wish=wish), effects=(RecordAnswer(value=answered),))
    served = Served(act=act, commands=analysis.commands, **found)
    return Decision(served=served, effects=tuple(_effects(state, analysis, act)))


def _wants_back(state: DialogueState, analysis: MessageAnalysis) -> bool:
    """Tell whether the message leads back from a detour, or the course has it no more."""
    cycle = state.lesson.cycle
    if not cycle.detour or state.detour_is_gone:
        return bool(cycle.detour)
    offered = not state.lesson.piece and cycle.state == "tutor_explaining"
    names_own = any(each.concept == state.own_concept for each in analysis.names)
    return "back" in analysis.commands or names_own or (offered and "decline" in analysis.commands)


def _moves_on(state: DialogueState, analysis: MessageAnalysis) -> Decision | None:
    """Return how the learner goes to the next step, or to another one that they name; None where they do not."""
    sums_up = state.lesson.explaining == WHOLE
    offered = state.is_over and (not state.lesson.explaining or state.last_agent == "pathplanner")
    agrees = "agree" in analysis.commands and not analysis.wants("thanks")
    other = _other_topic(state, analysis, state.concept)
    rather = "switch" in analysis.commands and other is not None
    quizzes = other is not None and analysis.wants("ask_quiz")
    if quizzes and other is not None:
        move = MoveTo(course=other.course, concept=other.concept)
        return Decision(served=Served(act="quiz_request", **routed(analysis.routed)), effects=(move,))
    at_a_turn = (offered or state.has_not_begun or sums_up) and "instead" not in analysis.commands
    wished = analysis.wants(*TO_LEARN, "go_on", "resume", "plan")
    if other is not None and (rather or (at_a_turn and (wished or other.is_all))):
        move = MoveTo(course=other.course, concept=other.concept)
        return Decision(served=Served(act="moved"), effects=(move, SetGoal()) if analysis.wants("goal") else (move,))
    if (
        offered
        and agrees
        and state.next_concept
        and (state.next_concept != state.own_concept or state.lesson.cycle.needs_plan)
    ):
        return Decision(served=Served(act="moved"), effects=(MoveTo(course=state.course, concept=state.next_concept),))
    return None


def _elsewhere(state: DialogueState, analysis: MessageAnalysis, act: Act) -> Decision | None:
    """Return where a message goes that is not said to the lesson; None for what is. A quiz under way waits for it."""
    if act in COMMANDED:
        return None
    waits: tuple[Effect, ...] = (PauseQuiz(),) if state.in_quiz else ()
    sent = analysis.routed
    if "find_level" in analysis.commands and sent is not None and sent.agent == "diagnostic":
        return Decision(served=_new_topic(f"{state.course}/{state.stopped_placement or state.own_concept}", analysis))
    if analysis.wants(*TO_LEARN) and act not in ("known", "harder"):
        other = _other_topic(state, analysis, state.concept)
        if other is not None:
            return Decision(served=_new_topic(f"{other.course}/{other.concept}", analysis), effects=waits)
        named = "elsewhere" in analysis.commands or analysis.intent in TO_LEARN
        if named and not any(each.concept == state.concept for each in analysis.names):
            reason = sent.reason if sent is not None and sent.agent in LEAVES else _("Wants something else just now.")
            path = Served(
                to="path",
                act=act,
                elsewhere=True,
                unknown_topic=not analysis.names and "elsewhere" not in analysis.commands,
                **(routed(sent) | {"reason": reason}),
            )
            return Decision(served=path, effects=waits)
    if analysis.wants("progress", "plan") or (act == "question" and sent is not None and sent.agent in LEAVES):
        agent = sent.agent if sent is not None and sent.agent in LEAVES else _OF_INTENT.get(analysis.intent, "")
        if agent:
            to = Served(to="path" if agent == "pathplanner" else "feedback", act=act, **routed(sent))
            return Decision(served=to, effects=waits)
    if analysis.intent == "off_topic" and not analysis.is_unsure:
        reason = sent.reason if sent is not None and sent.agent is None else _("Sounds like nothing the team does.")
        return Decision(served=Served(to="nobody", act="off_topic", **(routed(sent) | {"reason": reason})))
    return None


_OF_INTENT: Final[dict[Intent, str]] = {"progress": "feedback", "plan": "pathplanner"}


def _effects(state: DialogueState, analysis: MessageAnalysis, act: Act) -> list[Effect]:
    """Return what a message to the lesson comes to."""
    lesson, question = state.lesson, state.question
    effects: list[Effect] = []
    if act in ("idea_said", "late_right"):
        effects.append(KeepLesson(lesson=_replied(lesson, analysis)))
    if act == "abandon" and state.in_quiz:
        effects.append(LeaveQuiz())
    elif question is not None:
        effects += _help(state, act)
    elif act in ("answer_demand", "does_not_know", "stuck"):
        effects.append(KeepLesson(lesson=_counted(state, act)))
    if found := tuple(each for each in analysis.misconceptions if each.id in state.misconceptions_here):
        effects.append(NoteMisconceptions(found=found))
    if act == "idea_said" and lesson.contrast:
        effects.append(NoteExplanation(misconception=lesson.contrast, quote=analysis.answers[0].value))
    elif act == "idea_said" and lesson.explaining and not lesson.cycle.is_over:
        effects.append(NotePractice())
    if said := _milestones(state, analysis):
        effects.append(NoteMilestones(found=said))
    return effects


def _replied(lesson: LessonState, analysis: MessageAnalysis) -> LessonState:
    """Return the lesson with the pieces whose questions the message answers right."""
    right = (each.to for each in analysis.answers if each.verdict == "right" and each.to in lesson.explained)
    return replace(lesson, replied=tuple(dict.fromkeys((*lesson.replied, *right))))


def _milestones(state: DialogueState, analysis: MessageAnalysis) -> tuple[Evidence, ...]:
    """Return the milestones that the message says: the one that was asked for by a right reply, too."""
    found, asked = analysis.milestones, state.lesson.explaining
    reply = analysis.answer_to(asked) if asked and asked == state.waits_for else None
    if reply is None or reply.verdict != "right" or any(each.id == asked for each in found):
        return found
    return (*found, Evidence(id=asked, probability=reply.confidence, quote=reply.value))


def _help(state: DialogueState, act: Act) -> list[Effect]:
    """Return the help that a message about the open question gets: at the end of the ladder its solution."""
    question, lesson = state.question, state.lesson
    assert question is not None
    match act:
        case "skip":
            return [PutAway()]
        case "hint_request" | "other_picture":
            return [TakeHint()] if act == "hint_request" else []
        case "stuck" | "does_not_know" | "answer_demand":
            counted = KeepLesson(lesson=_counted(state, act))
            if question.hints_used >= WORKED:
                return [counted, GiveUp()]
            again = act == "stuck" or lesson.demands > 0 or lesson.unknowns > 0
            return [counted, TakeHint(tried=True, rung=WORKED if again else 0)]
        case "unjudged" | "other" | "idea_partly" | "idea_said" | "wrong" if not (
            lesson.contrast or lesson.cycle.paused
        ):
            return [TakeHint()]  # Where an answer has earned one: how it came about was asked first.
        case _:
            return []


def _counted(state: DialogueState, act: Act) -> LessonState:
    lesson = state.lesson
    if act == "answer_demand":
        return replace(lesson, demands=lesson.demands + 1)
    return replace(lesson, unknowns=lesson.unknowns + 1)


# --- What several places share ---


def _answer_to_card(state: DialogueState, analysis: MessageAnalysis) -> str:
    """Return the answer that the message gives to the open card; empty for none.

    While a quiz waits, only an answer goes on with it, and no remark that has a number in it.
    """
    given = analysis.answer_to(state.question.id) if state.question is not None else None
    if given is None or "known" in analysis.commands:
        return ""
    exact = analysis.intents[:1] == (("answer", EXACT),)
    says_it = given.verdict == "right" or (given.verdict != "none" and analysis.intent == "answer")
    if state.lesson.cycle.paused and not exact and not says_it:
        return ""
    return given.value


def _other_topic(state: DialogueState, analysis: MessageAnalysis, current: str) -> Named | None:
    """Return the one concept that the message surely names, where that is another than the current one."""
    sure = [each for each in analysis.names if each.concept and each.is_sure]
    return sure[0] if len(sure) == 1 and sure[0].concept != current else None


def _new_topic(topic: str, analysis: MessageAnalysis) -> Served:
    reason = _("A new topic: first, what it rests on.")
    return Served(
        to="new_topic", topic=topic, commands=analysis.commands, **(routed(analysis.routed) | {"reason": reason})
    )
