"""Chooses the graph that serves a turn from its decision, and the facts for its roles. Writes nothing."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from agents.engine.graph import Choice, Graph
from agents.people import zone_named
from agents.rollout.known_flags import MULTI_AGENT
from agents.runtime.speaker_selection import may_ask_model
from conversations.graphs import PANEL, VISUAL_PANEL
from conversations.models import Session, Turn
from conversations.panel.classification import REASONS, classify
from conversations.panel.facts import PanelFacts
from conversations.panel.research import other_questions
from conversations.panel.single_agent import is_panel_used_up, wants_single_agent
from conversations.pinned_flags import is_on
from tutoring.courses.catalogue import ConceptContent as ConceptValue
from tutoring.courses.catalogue import CourseContent as CourseValue
from tutoring.dialogue import graphs, placement_turns
from tutoring.dialogue.act_rules import SYSTEM_COMMANDS
from tutoring.dialogue.queries import lesson_facts, quiz_history
from tutoring.dialogue.queries.system_record import describe_record
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.dialogue.turn_undo import SET_GOAL
from tutoring.lesson import cycle as cycles
from tutoring.lesson.cycle import RoutingState
from tutoring.lesson.facts import DiagnosisFacts, LessonFacts, LobbyFacts, PathFacts, find_course_answer
from tutoring.lesson.placement import placement_of
from tutoring.lesson.response_plan import Act, ResponsePlan
from tutoring.lesson.session_state import ROUTING_STATE_KEY, field_default, reset_topic_fields
from tutoring.lesson.state import LessonState
from tutoring.mastery.records import path_planning
from tutoring.models import Concept, Course, Goal, Lesson
from tutoring.panel_facts import gather_panel_facts
from tutoring.planner.facts import CompanionFacts
from tutoring.planner.graph import COMPANION
from tutoring.planner.tools.results import COMPANION_KEY

ROUTING_STATES: Mapping[str, RoutingState] = {"diagnosis": "diagnose", "planning": "plan"}
"""Graph → the state of the routing machine while the graph runs; all others: "learn"."""

PANEL_ACTS: Final[frozenset[Act]] = frozenset(
    {"question", "other", "off_topic", "nonsense", "example", "hint_request", "answer_demand"}
)
"""Acts of messages without a topic that may be open questions: the panel answers them if they ask for more than one agent."""

ACTS_WITHOUT_QUESTION: Final[frozenset[Act]] = frozenset({"greeting", "goodbye", "thanks", "feeling", "insult", "joy"})
"""Acts that ask nothing, also if a picture comes with the message."""

type Facts = LessonFacts | LobbyFacts | PathFacts | DiagnosisFacts | PanelFacts | CompanionFacts
type Dispatch = tuple[Graph, Facts, Choice]


def dispatch_turn(rows: TurnRows, served: ResponsePlan) -> Dispatch:
    """Return the graph that serves the turn, the facts for its roles, and why it was chosen."""
    if served.to == "companion" and served.requests:
        return _companion(rows, served)
    graph, facts, choice = _lobby(rows, served) if rows.lesson is None else _with_lesson(rows, served, rows.lesson)
    return graph, facts, replace(choice, came_from=str(rows.turn.session.state.get("last_routed_to", "")))


def _with_lesson(rows: TurnRows, served: ResponsePlan, lesson: Lesson) -> Dispatch:
    match served.to:
        case "new_topic":
            if (topic := _find_concept(served.topic)) is not None:
                return _diagnosis(rows, served, topic)
        case "placement":
            return _diagnosis(rows, served, lesson.concept)
        case "beside_placement":
            facts = lesson_facts.gather_lesson_facts(rows, served)
            return graphs.ASIDE, replace(facts, placing=True), _choice("tutor", served)
        case "path":
            facts = lesson_facts.gather_lesson_facts(rows, served)
            if facts.path is not None or not facts.cycle.is_over or served.elsewhere or served.disowned:
                return (
                    graphs.PLANNING,
                    _path(rows, lesson.concept.course, served),
                    _choice("pathplanner", served),
                )
        case "feedback":
            facts = lesson_facts.gather_lesson_facts(rows, served)
            asked_back = replace(facts, last_answer=quiz_history.last_answer(rows.turn.session))
            return graphs.LOOKING_BACK, asked_back, _choice("feedback", served)
        case "nobody":
            facts = lesson_facts.gather_lesson_facts(rows, served)
            return graphs.ASIDE, replace(facts, off_topic=True), _choice("tutor", served)
    facts = lesson_facts.gather_lesson_facts(rows, served)
    graph, choice = graphs.choose_graph(facts)
    if SET_GOAL in rows.turn.payload:
        reason = _("There is nothing to check first for this goal, so the lesson on %(concept)s starts.")
        choice = replace(choice, reason=reason % {"concept": facts.concept.title})
    elif served.reason and choice.to == "quiz":
        choice = _choice("quiz", served)
    return graph, facts, choice


def _companion(rows: TurnRows, served: ResponsePlan) -> Dispatch:
    """Return the planner's graph, and its facts; the message comes from whoever spoke last."""
    turn = rows.turn
    held = turn.session.state.get(COMPANION_KEY, {})
    spoke = held.get("current_agent", "") if turn.number - int(held.get("turn", 0)) == 1 else ""
    facts = CompanionFacts(
        turn_id=str(turn.pk),
        text=rows.text,
        requests=served.requests,
        now=turn.created_at.astimezone(zone_named(turn.owner.zone)),
        changes=tuple(held.get("changes", ())),
        has_model=may_ask_model(turn.owner, "fast"),
    )
    choice = _choice(served.requests[0].agent, served)
    return COMPANION, facts, replace(choice, came_from=spoke or str(turn.session.state.get("last_routed_to", "")))


def _lobby(rows: TurnRows, served: ResponsePlan) -> Dispatch:
    facts = lesson_facts.gather_lobby_facts(rows, served)
    match served.to:
        case "new_topic":
            if (topic := _find_concept(served.topic)) is not None:
                return _diagnosis(rows, served, topic)
        case "path":
            if (goal := _latest_goal(rows.turn)) is not None:
                return graphs.PLANNING, _path(rows, goal.course, served), _choice("pathplanner", served)
        case "offers":
            facts = replace(
                facts,
                offered=_offered_concepts(facts.courses, served),
                offered_course=next((each for each in facts.courses if served.offered == (f"{each.id}/",)), None),
                wants_quiz=served.wants_quiz,
            )
            if (
                served.answer is not None
                and facts.offered
                and (says := find_course_answer(facts.offered[0][0], served))
            ):
                facts = replace(facts, answer=says.says)
    reason = served.reason or _("No topic has been chosen yet.")
    if (asked := _panel_facts(rows, served, facts)) is not None:
        if not is_panel_used_up(rows.turn):
            graph = VISUAL_PANEL if asked.picture else PANEL
            return graph, asked, Choice(to="synthesis", reason=str(REASONS[asked.classification]))
        reason = _("The whole team has answered several questions in the last minute, so the tutor is answering alone.")
    facts = replace(
        facts,
        off_topic=served.act == "off_topic",
        unsure=served.unsure,
        wants_quiz=served.wants_quiz,
        record=describe_record(rows, served),
    )
    return graphs.LOBBY, facts, replace(_choice("tutor", served), reason=reason)


def _panel_facts(rows: TurnRows, served: ResponsePlan, facts: LobbyFacts) -> PanelFacts | None:
    """Return the facts for the panel if it can answer the message; None if the tutor does."""
    insists = rows.turn.session.answered_by == Session.AnsweredBy.TEAM
    # A course's own answer comes from the tutor, unless the owner wants the whole team.
    is_open = served.to == "lobby" or (served.answer is not None and insists)
    if not is_open or wants_single_agent(rows.turn) or not is_on(MULTI_AGENT, rows.turn.session, rows.turn.owner):
        return None
    asks = served.act not in ACTS_WITHOUT_QUESTION if facts.attached else _may_ask_panel(served, rows.text)
    if not asks:
        return None
    asked = gather_panel_facts(rows, facts.courses, insists=insists)
    if facts.attached and asked.picture is None:
        return None  # Other files are quoted by the tutor.
    return asked if asked.classification != "simple_query" else None


def _may_ask_panel(served: ResponsePlan, text: str) -> bool:
    """Tell whether a message without a topic may be an open question, and nothing that the tutor answers by itself."""
    if served.asks_own_files or "lists_lessons" in served.commands:
        return False
    match served.act:
        case "system":
            return not served.about and not SYSTEM_COMMANDS & set(served.commands)
        case "calculation":
            return not served.withheld and classify(other_questions(text)) != "simple_query"
    return served.act in PANEL_ACTS


def _offered_concepts(
    courses: tuple[CourseValue, ...], served: ResponsePlan
) -> tuple[tuple[CourseValue, ConceptValue], ...]:
    """Return what to choose from: the concepts that may be meant, otherwise the named course's beginning and goals."""
    found: list[tuple[CourseValue, ConceptValue]] = []
    for course in courses:
        named = [each for each in course.taught if f"{course.id}/{each.id}" in served.offered]
        if not named and f"{course.id}/" in served.offered:
            named = [each for place, each in enumerate(course.taught) if each.goal or not place]
        found += [(course, each) for each in named]
    return tuple(found)


def _latest_goal(turn: Turn) -> Concept | None:
    goals = Goal.objects.open().filter(learner_id=turn.owner_id).select_related("concept__course")
    goal = goals.defer("concept__course__content").last()
    return goal.concept if goal else None


def _find_concept(topic: str) -> Concept | None:
    """Return the concept of `course/concept`, with its course; None if it no longer exists."""
    course, _slash, concept = topic.partition("/")
    return Concept.objects.select_related("course").filter(course__slug=course, slug=concept).first()


def _diagnosis(rows: TurnRows, served: ResponsePlan, topic: Concept) -> Dispatch:
    return graphs.DIAGNOSIS, placement_turns.gather_diagnosis_facts(rows, topic, served), _choice("diagnostic", served)


def _path(rows: TurnRows, course: Course, served: ResponsePlan) -> PathFacts:
    turn, held, current = rows.turn, rows.held, rows.taught
    return PathFacts(
        turn_id=str(turn.pk),
        seed=lesson_facts.turn_seed(turn),
        told=rows.told,
        path=path_planning.plan_path(turn.owner_id, course),
        text=rows.text,
        current=current.value() if current is not None else None,
        next_concept=lesson_facts.next_concept(current, rows.masteries) if current is not None else None,
        under_way=held != LessonState() and not held.cycle.is_over,
        asked=lesson_facts.asked_question(rows, rows.question),
        placing=placement_of(turn.session.state).under_way,
        elsewhere=served.elsewhere,
        disowned=next(
            (each for each in course.catalogue().concepts if f"{course.slug}/{each.id}" == served.disowned), None
        ),
        has_other_courses=len(rows.courses) > 1,
        unknown_topic=served.unknown_topic,
        rivals=tuple(each for each in course.catalogue().concepts if f"{course.slug}/{each.id}" in served.offered),
        named_course=next((each for each in rows.courses if f"{each.id}/" in served.offered), None),
    )


def _choice(to: str, served: ResponsePlan) -> Choice:
    if not served.strategy:
        return Choice(to=to, reason=served.reason)
    return Choice(to=to, reason=served.reason, strategy=served.strategy, confidence=served.confidence)


def changed_state(turn: Turn, graph: Graph, facts: Any, choice: Choice) -> dict[str, Any]:
    """Return the coordinator's fields of the shared state that change with this turn."""
    if isinstance(facts, CompanionFacts):
        return {}  # Whatever is under way stays as it is.
    shared: dict[str, Any] = {
        "user_id": str(turn.owner_id),
        "session_id": turn.session.key,
        "last_routed_to": choice.to,
        "routing_reason": choice.reason,
        "routing_state": cycles.reach_state(
            turn.session.state.get(ROUTING_STATE_KEY), ROUTING_STATES.get(graph.name, "learn")
        ),
    }
    match facts:
        case LessonFacts():
            shared |= _of_lesson(facts, turn.session.state)
        case DiagnosisFacts():
            shared |= {"current_topic": facts.topic.id, "goals": [goal.id for goal in facts.path.goals]}
        case PathFacts():
            shared |= {"goals": [goal.id for goal in facts.path.goals]}
    held = turn.session.state
    return {key: value for key, value in shared.items() if held.get(key, field_default(key)) != value}


def _of_lesson(facts: LessonFacts, held: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shared state's fields about the topic; what belonged to another topic is emptied."""
    is_other = held.get("current_topic", facts.concept.id) != facts.concept.id
    known: dict[str, Any] = {"learner_level": facts.learner_level, "mastery_score": facts.mastery_score}
    if facts.path is not None:
        known["goals"] = [goal.id for goal in facts.path.goals]
    return (reset_topic_fields(held) if is_other else {}) | known | {"current_topic": facts.concept.id}
