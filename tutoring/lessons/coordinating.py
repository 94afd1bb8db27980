"""The coordinator: which agent of the team a turn goes to, and why; the facts are gathered for that one."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from agents.graph import Choice, Graph
from agents.speakers import may_ask
from conversations.models import Turn
from tutoring import graphs
from tutoring.courses.catalogue import Concept as ConceptValue
from tutoring.courses.catalogue import Course as CourseValue
from tutoring.lessons import gathering, looking_back, placing, planning
from tutoring.lessons.undoing import SENT, SET_GOAL
from tutoring.models import Concept, Course, Goal, Lesson
from tutoring.roles import coordinator
from tutoring.roles.facts import DiagnosisFacts, LessonFacts, LobbyFacts, PathFacts
from tutoring.roles.placing import placement_of
from tutoring.roles.session import ROUTING, default, emptied
from tutoring.roles.state import LessonState, lesson_state
from tutoring.roles.undecided import Facts, UndecidedFacts
from tutoring.routing.deciding import Routed, route
from tutoring.routing.rules import ELSEWHERE, Situation, first_fitting
from tutoring.routing.spelling import tidy
from tutoring.routing.topics import Meant, topic_meant
from tutoring.rules import cycle as cycles
from tutoring.rules.claims import plain
from tutoring.rules.cycle import RoutingState
from tutoring.rules.listening import Heard, course_answer, is_greeting

LEAVES = frozenset({"pathplanner", "feedback", "diagnostic"})
"""Agents that a lesson is left for."""
MAY_LEAVE = frozenset({"question", "other", "go_on", "greeting"})
"""What a message may be that leaves a lesson; all else is said to it."""
FEW_WORDS = 3
_STOPS = re.compile(
    r"\b(?:stop|no more|quit|cancel|end (?:it|this)|don'?t want (?:a |any |more )?(?:test|questions?|quiz)"
    r"|(?:that'?s|that is|it'?s|had) enough|enough (?:questions|of (?:this|that|these|them|it))"
    r"|skip (?:all|them|the rest|(?:the|these|this|your|all)(?: the| these)? (?:questions|test|quiz|check))"
    r"|just (?:start|begin|teach)|start (?:the )?(?:lesson|teaching)|let'?s (?:just )?(?:start|begin)(?! with))\b|^enough\W*$"
)

_PURPOSE = re.compile(
    r"^(?:but |and |so )?(?:why|what for)\W*$|\bwhat(?:'?s| is| are) (?:all )?(?:this|these|it|they|that|the questions?)(?: \w+)?(?: good)? for\b"
    r"|\bwhy (?:all )?(?:(?:these|the|so many|the many) questions|(?:do|are|am|must|should) (?:you|i|we) (?:ask|being asked|have to|need to|do|answer))"
    r"|\bhow many (?:more|are left|questions)\b|\bwhat(?:'?s| is) the (?:point|purpose)\b"
)

SERVING: Mapping[str, RoutingState] = {
    "diagnosis": "diagnose",
    "planning": "plan",
    "coordinating": "classify_intent",
}
"""Graph → where the routing machine of document 003 stands while it is walked; all others: "learn"."""

type Decided = tuple[Graph, Any, Choice]


def coordinate(turn: Turn, said: gathering.Told) -> Decided:
    """Return the graph that serves the turn, the facts its roles decide by, and why it is this one. Writes nothing."""
    lesson = gathering.lesson_of(turn.session)
    placement = placement_of(turn.session.state)
    if lesson is None:
        decided = _in_lobby(turn, said)
    elif placement.under_way:
        decided = _while_placing(turn, said, lesson)
    else:
        decided = _in_lesson(turn, said, lesson)
    graph, facts, choice = decided
    return graph, facts, replace(choice, came_from=str(turn.session.state.get("last_routed_to", "")))


def changed_state(turn: Turn, graph: Graph, facts: Any, choice: Choice) -> dict[str, Any]:
    """Return what is the coordinator's of the shared state, as far as it changes with this turn."""
    shared: dict[str, Any] = {
        "user_id": str(turn.owner_id),
        "session_id": turn.session.key,
        "last_routed_to": choice.to,
        "routing_reason": choice.reason,
        "routing_state": cycles.led_to(turn.session.state.get(ROUTING), SERVING.get(graph.name, "learn")),
    }
    match facts:
        case LessonFacts():
            shared |= _of_lesson(facts, turn.session.state)
        case DiagnosisFacts():
            shared |= {"current_topic": facts.topic.id, "goals": [goal.id for goal in facts.path.goals]}
        case PathFacts():
            shared |= {"goals": [goal.id for goal in facts.path.goals]}
        case UndecidedFacts(tutor=LessonFacts() as lesson):
            shared |= _of_lesson(lesson, turn.session.state)
    held = turn.session.state
    return {key: value for key, value in shared.items() if held.get(key, default(key)) != value}


def _of_lesson(facts: LessonFacts, held: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the shared state says of the topic; what it held of another one is emptied."""
    is_other = held.get("current_topic", facts.concept.id) != facts.concept.id
    known: dict[str, Any] = {"learner_level": facts.learner_level, "mastery_score": facts.mastery_score}
    if facts.path is not None:
        known["goals"] = [goal.id for goal in facts.path.goals]
    return (emptied(held) if is_other else {}) | known | {"current_topic": facts.concept.id}


def sent_elsewhere(turn: Turn, text: str, heard: Heard) -> Routed | None:
    """Return where a rule sends a message that is not said to the lesson; None for what is."""
    if heard.kind not in MAY_LEAVE or heard.bare_answer or heard.answer is not None:
        return None
    rule = first_fitting(tidy(text), situation_of(turn))
    if rule is None or rule.agent not in LEAVES:
        return None
    return Routed(agent=rule.agent, strategy="rule", confidence=1.0, reason=str(rule.reason))


def situation_of(turn: Turn) -> Situation:
    """Return what of the conversation bears on where a message goes."""
    held = lesson_state(turn.session.state)
    return Situation(
        has_topic=True,
        in_quiz=held.cycle.state == "quiz_active",
        quiz_paused=held.cycle.paused,
        cycle_over=held.cycle.is_over and not held.explaining,
        placing=placement_of(turn.session.state).under_way,
    )


# --- Without a topic ---


def _in_lobby(turn: Turn, said: gathering.Told) -> Decided:
    facts = gathering.lobby_facts(turn, said)
    if not facts.text or is_greeting(facts.text) or not facts.courses:
        return _lobby(facts, _("No topic is chosen yet."))
    routed, meant = route(facts.text), topic_meant(facts.text, facts.courses)
    unasked = _by_routing(turn, said, facts, routed, meant)
    if meant is not None or routed.is_certain or not may_ask(turn.owner, coordinator.ROLE.tier):
        return unasked
    goal = _latest_goal(turn)
    way = _path_facts(turn, said, goal.course) if goal else facts
    others: dict[str, Facts] = {
        "diagnostic": facts,
        "quiz": replace(facts, wants_quiz=True),
        "feedback": way,
        "pathplanner": way,
        "none": replace(facts, off_topic=True),
    }
    return _undecided(facts, others, routed, unasked)


def _by_routing(turn: Turn, said: gathering.Told, facts: LobbyFacts, routed: Routed, meant: Meant | None) -> Decided:
    """Serve a message by what rules and classifier say of it."""
    if routed.agent is None:
        return _lobby(replace(facts, off_topic=True), routed.reason, routed)
    if routed.agent in ("pathplanner", "feedback") and (goal := _latest_goal(turn)):
        return _planned(turn, said, goal.course, routed)
    if meant is None:
        # What the classifier takes for a wish for questions may be one for anything.
        wants_quiz = routed.agent == "quiz" and routed.strategy == "rule"
        instead = "quiz" if wants_quiz else ""
        reason = routed.reason if routed.agent == "tutor" else coordinator.instead_of(instead)
        return _lobby(replace(facts, unsure=routed.unsure, wants_quiz=wants_quiz), reason, routed)
    if meant.concept is None:
        facts = replace(facts, offered=_offers(meant), wants_quiz=routed.agent == "quiz")
        return _lobby(facts, _("More than one lesson may be meant."), routed)
    answer = course_answer(facts.text, concept=meant.concept) if routed.agent == "tutor" else None
    if answer is not None:
        offered = ((meant.course, meant.concept),)
        return _lobby(replace(facts, answer=answer.says, offered=offered), routed.reason, routed)
    return _new_topic(turn, said, gathering.concept_row(meant.course, meant.concept), routed)


def _lobby(facts: LobbyFacts, reason: str, routed: Routed | None = None) -> Decided:
    return graphs.LOBBY, facts, _choice("tutor", reason, routed)


def _offers(meant: Meant) -> tuple[tuple[CourseValue, ConceptValue], ...]:
    """Return what to choose from: the concepts that may be meant, else what the course leads to."""
    concepts = meant.rivals or tuple(each for each in meant.course.concepts if each.goal) or meant.course.concepts[:1]
    return tuple((meant.course, each) for each in concepts)


def _latest_goal(turn: Turn) -> Concept | None:
    goals = Goal.objects.open().filter(learner_id=turn.owner_id).select_related("concept__course")
    goal = goals.defer("concept__course__content").last()
    return goal.concept if goal else None


# --- While somebody is being placed ---


def _while_placing(turn: Turn, said: gathering.Told, lesson: Lesson) -> Decided:
    topic = lesson.concept
    text = said.in_turn(turn)
    if turn.payload.get("attempt") or turn.payload.get("unreadable") or not text:
        return _diagnosis(turn, said, topic, _("Questions on what the goal rests on."))
    heard = gathering.heard_in(turn, lesson, text)
    if heard.kind == "abandon" or _STOPS.search(plain(text)):
        return _diagnosis(turn, said, topic, _("The learner wants to begin now."), wants="stop")
    if _PURPOSE.search(plain(text)):
        return _diagnosis(turn, said, topic, _("A question about the placement."), wants="purpose")
    if heard.kind in ("hint_request", "answer_demand"):
        return _diagnosis(turn, said, topic, _("Questions on what the goal rests on."), wants="help")
    sent = sent_elsewhere(turn, text, heard)
    match sent.agent if sent else "":
        case "pathplanner":
            return _diagnosis(turn, said, topic, _("The path comes after the placement."), sent, wants="path")
        case "feedback":
            return _diagnosis(turn, said, topic, _("A placement judges nothing."), sent, wants="verdict")
        case "diagnostic" if other := _other_concept(text, topic):
            return _new_topic(turn, said, other, sent)
    if heard.kind == "question":
        off_topic = heard.answer is None and _is_off_topic(text, situation_of(turn))
        facts = replace(gathering.lesson_facts(turn, lesson, said), placing=True, off_topic=off_topic)
        return graphs.ASIDE, facts, _choice("tutor", _("A question beside the placement, which waits."))
    return _diagnosis(turn, said, topic, _("Questions on what the goal rests on."))


def _is_off_topic(text: str, situation: Situation) -> bool:
    routed = route(text, situation=situation)
    return routed.agent is None and routed.is_certain


def _diagnosis(
    turn: Turn, said: gathering.Told, topic: Concept, reason: str, routed: Routed | None = None, *, wants: Any = ""
) -> Decided:
    facts = placing.diagnosis_facts(turn, said, topic, wants=wants)
    return graphs.DIAGNOSIS, facts, _choice("diagnostic", reason, routed)


def _new_topic(turn: Turn, said: gathering.Told, topic: Concept, routed: Routed | None) -> Decided:
    return _diagnosis(turn, said, topic, _("A new topic: first, what it rests on."), routed)


# --- In a lesson ---


def _in_lesson(turn: Turn, said: gathering.Told, lesson: Lesson) -> Decided:
    facts = gathering.lesson_facts(turn, lesson, said)
    if facts.cycle.state == "feedback_analysing":
        # It failed when the quiz ended: nothing else comes first.
        return _served(turn, facts)
    sent = _sent(turn)
    if (
        sent is None
        and _wants_placement_back(facts)
        and (stopped := placing.stopped_short_of(turn, lesson)) is not None
    ):
        return _diagnosis(turn, said, stopped, _("Goes on with the placement that was stopped."))
    guessed = _by_classifier(turn, facts)
    if sent is None and guessed is not None and guessed.is_certain:
        sent = guessed
    sent = sent or _about_the_path(turn, facts)
    if sent is None and guessed is not None:
        return _asked_of_model(turn, said, lesson, facts, guessed)
    match sent.agent if sent else "":
        case "pathplanner" if facts.path is not None or not facts.cycle.is_over:
            return _planned(turn, said, lesson.concept.course, sent, lesson=lesson)
        case "feedback":
            asked_back = replace(facts, last_answer=looking_back.last_answer(turn.session))
            return graphs.LOOKING_BACK, asked_back, _choice("feedback", sent.reason if sent else "", sent)
        case "diagnostic":
            return _other_topic(turn, said, lesson, facts, sent)
        case "quiz" if sent is not None:
            return _questioned(facts, sent)
        case None:
            off = replace(facts, off_topic=True)
            return graphs.ASIDE, off, _choice("tutor", sent.reason if sent else "", sent)
    return _served(turn, facts)


def _wants_placement_back(facts: LessonFacts) -> bool:
    """Tell whether a message before the first lesson asks for the questions that it has just stopped."""
    if facts.lesson != LessonState() or facts.heard is None:
        return False
    asks = facts.heard.kind in ("quiz_request", "other") and re.search(r"\bquestions\b", plain(facts.text))
    return facts.heard.kind == "resume" or bool(asks)


def _served(turn: Turn, facts: LessonFacts) -> Decided:
    """Let the lesson itself serve the turn; where that is a new goal's, the reason says so."""
    graph, choice = graphs.choose_graph(facts)
    if SET_GOAL in turn.payload:
        reason = _("A new goal, with nothing to find out first: the lesson on %(concept)s begins.")
        choice = replace(choice, reason=reason % {"concept": facts.concept.title})
    return graph, facts, choice


def _questioned(facts: LessonFacts, routed: Routed) -> Decided:
    """Let the quiz begin, or go on, for a message that asks for that in words that the lesson does not know."""
    facts = _asking_for_quiz(facts)
    graph, choice = graphs.choose_graph(facts)
    return graph, facts, _choice("quiz", routed.reason, routed) if choice.to == "quiz" else choice


def _asking_for_quiz(facts: LessonFacts) -> LessonFacts:
    return replace(facts, heard=replace(facts.heard, kind="quiz_request") if facts.heard else None)


def _other_topic(turn: Turn, said: gathering.Told, lesson: Lesson, facts: LessonFacts, sent: Routed | None) -> Decided:
    """Go to another topic where one is named, place the learner on this one where that pays, else begin or show the path."""
    if other := _other_concept(facts.text, gathering.taught(lesson, facts.lesson)):
        return _new_topic(turn, said, other, sent)
    if (stopped := placing.stopped_short_of(turn, lesson)) is not None:
        return _diagnosis(turn, said, stopped, _("Goes on with the placement that was stopped."), sent)
    if placing.is_worth_placing(turn.owner_id, lesson.concept):
        return _new_topic(turn, said, lesson.concept, sent)
    if facts.lesson == LessonState():
        # It was named, and rests on too little to be placed on.
        return _served(turn, facts)
    return _planned(turn, said, lesson.concept.course, sent, lesson=lesson)


def _other_concept(text: str, current: Concept) -> Concept | None:
    """Return the concept that a message means, where that is another than the current one."""
    meant = topic_meant(text, gathering.courses())
    if meant is None or meant.concept is None or meant.concept.id == current.slug:
        return None
    return gathering.concept_row(meant.course, meant.concept)


def _sent(turn: Turn) -> Routed | None:
    sent = turn.payload.get(SENT)
    return Routed(agent=sent["agent"], strategy="rule", confidence=1.0, reason=sent["reason"]) if sent else None


def _about_the_path(turn: Turn, facts: LessonFacts) -> Routed | None:
    """Return the path planner for what is asked right after it has spoken, before the lesson it named began.

    And for whatever is said where it has still to speak, since it failed when a placement led to it.
    """
    asks = facts.heard is not None and facts.heard.kind in ("question", "other") and facts.heard.answer is None
    if facts.lesson != LessonState():
        return None
    if placement_of(turn.session.state).ended and planning.FOLLOWING not in turn.session.state:
        return Routed(
            agent="pathplanner", strategy="current", confidence=1.0, reason=_("The way is still to be shown.")
        )
    if not asks or turn.session.state.get("last_routed_to") != "pathplanner":
        return None
    return Routed(agent="pathplanner", strategy="current", confidence=1.0, reason=_("Asks about the path just shown."))


def _by_classifier(turn: Turn, facts: LessonFacts) -> Routed | None:
    """Ask the classifier about a message that the lesson cannot place; it is asked for nothing else."""
    heard = facts.heard
    vague = heard is not None and heard.kind in ("question", "other") and heard.answer is None
    waiting = facts.lesson.piece or facts.lesson.contrast or facts.lesson.explaining or facts.open_instance
    if not vague or (waiting and heard is not None and heard.kind == "other") or len(facts.text.split()) < FEW_WORDS:
        return None
    routed = route(facts.text, situation=situation_of(turn))
    if not routed.is_certain and (routed.unsure or routed.agent != "tutor"):
        asks = _may_be_elsewhere(facts) and may_ask(turn.owner, coordinator.ROLE.tier)
        return routed if asks else None
    # What a rule knows for a wish for questions, the lesson has heard as one, or for good reason has not.
    asks_for_quiz = routed.agent == "quiz" and routed.strategy == "classifier"
    leaves = routed.agent is None or routed.agent in ("pathplanner", "feedback") or asks_for_quiz
    return routed if leaves and routed.is_certain else None


def _may_be_elsewhere(facts: LessonFacts) -> bool:
    """Tell whether the lesson's walk can stand still for a turn: the tutor would answer, and wait where it waits now."""
    graph, _choice_of_lesson = graphs.choose_graph(facts)
    asks = facts.heard is not None and facts.heard.kind == "question"
    return graph is graphs.ASIDE or (asks and (graph is graphs.AFTERWARDS or bool(facts.lesson.piece)))


def _asked_of_model(turn: Turn, said: gathering.Told, lesson: Lesson, facts: LessonFacts, routed: Routed) -> Decided:
    _graph, topic, _choice_of_topic = _other_topic(turn, said, lesson, facts, routed)
    others: dict[str, Facts] = {
        "diagnostic": topic,
        "feedback": replace(facts, last_answer=looking_back.last_answer(turn.session)),
        "pathplanner": _path_facts(turn, said, lesson.concept.course, lesson=lesson),
        "none": replace(facts, off_topic=True),
    }
    if facts.open_instance is not None or facts.cycle.state == "tutor_explaining":
        others["quiz"] = _asking_for_quiz(facts)
    return _undecided(facts, others, routed)


def _undecided(
    facts: LessonFacts | LobbyFacts, others: Mapping[str, Facts], routed: Routed, unasked: Decided | None = None
) -> Decided:
    """Let a model say whose the message is; `unasked`: what serves it where none answers."""
    undecided = UndecidedFacts(tutor=facts, others=others)
    if unasked is not None:
        # Of what nothing tells the model's silence is told, not a guess.
        choice = None if routed.unsure else unasked[2]
        undecided = replace(undecided, otherwise=unasked[1], unasked=choice)
    return graphs.COORDINATING, undecided, _choice("coordinator", _("Not clear what is wanted: a model says."), routed)


def _planned(
    turn: Turn, said: gathering.Told, course: Course, routed: Routed | None, *, lesson: Lesson | None = None
) -> Decided:
    facts = _path_facts(turn, said, course, lesson=lesson)
    return graphs.PLANNING, facts, _choice("pathplanner", routed.reason if routed else "", routed)


def _path_facts(turn: Turn, said: gathering.Told, course: Course, *, lesson: Lesson | None = None) -> PathFacts:
    question, held = gathering.open_question(turn.session), lesson_state(turn.session.state)
    return PathFacts(
        turn_id=str(turn.pk),
        seed=gathering.seed_of(turn),
        path=planning.planned_path(turn.owner_id, course),
        text=said.in_turn(turn),
        current=gathering.taught(lesson, held).value() if lesson else None,
        under_way=held != LessonState() and not held.cycle.is_over,
        asked=gathering.asked_of(question, None),
        placing=placement_of(turn.session.state).under_way,
        elsewhere=lesson is not None and bool(ELSEWHERE.search(tidy(said.in_turn(turn)))),
    )


def _choice(to: str, reason: str, routed: Routed | None = None) -> Choice:
    if routed is None:
        return Choice(to=to, reason=reason)
    return Choice(to=to, reason=reason, strategy=routed.strategy, confidence=round(routed.confidence, 3))
