"""The turn handler of tutoring conversations: analyzes a message, decides, serves it, and stores the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from agents.engine.graph import Choice
from agents.engine.outcomes import Answered
from agents.engine.roles import Request
from agents.engine.runner import RunResult
from agents.runtime.speaker_selection import Payer, may_ask_model, speakers_for
from agents.storage.threads import in_orm_thread
from conversations.models import ConversationSummary, Session, Snapshot, Turn
from conversations.panel.classification import classified_event
from conversations.panel.facts import PanelFacts
from conversations.pinned_flags import roles_off
from conversations.round_table.preparation import is_round_table, prepare_table
from conversations.summaries.records import store_summary
from conversations.turns.handler import Intent, MessageReading, PreparedRun, TurnHandler
from tutoring.dialogue import dispatch, effects, graphs, placement_turns, transitions, turn_undo
from tutoring.dialogue.allowed_moves import find_allowed_moves
from tutoring.dialogue.companion_reading import route_by_model, with_companion
from tutoring.dialogue.decision_rules import decide
from tutoring.dialogue.message_intents import intent_of
from tutoring.dialogue.queries import message_context
from tutoring.dialogue.queries.prompt_history import load_prompt_history
from tutoring.dialogue.queries.system_record import describe_readers
from tutoring.dialogue.queries.turn_rows import TurnRows, lesson_of, taught_concept
from tutoring.dialogue.situation import DialogueState
from tutoring.insights.jobs import order_session_insights
from tutoring.lesson.cycle import reach_state
from tutoring.lesson.placement import placement_of
from tutoring.lesson.response_plan import ASIDE_ACTS, Decision, Destination, NoteConcern
from tutoring.lesson.response_plan import response_from_json as decision_from_json
from tutoring.lesson.response_plan import response_to_json as served_to_json
from tutoring.lesson.session_state import ROUTING_STATE_KEY
from tutoring.lesson.state import LessonState, lesson_state
from tutoring.lesson.turn_results import (
    DiagnosticTurn,
    FeedbackTurn,
    NewQuestion,
    PathTurn,
    PresentedExample,
    QuizTurn,
    SpokenTurn,
    TutorTurn,
)
from tutoring.mastery.records import goals, path_planning, progress, reviews
from tutoring.models import Concept, Concern, Cycle, ExampleShown, Mastery, MasteryChange, Question
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.pages.cards.question_context import mastery_view
from tutoring.pages.contexts import agent_decisions, lesson_stage, lesson_way, pace_choices
from tutoring.planner.conversation_state import settled_state
from tutoring.planner.routing_records import prepare_record, record_companion_turn
from tutoring.planner.tools.results import COMPANION_KEY
from tutoring.question_writing import orders
from tutoring.roles.care import CareFacts
from tutoring.roles.speech.composition import question_id
from tutoring.safety import incidents as caring
from tutoring.side_agents import fact_queries as hub
from tutoring.understanding.analysis import analyse
from tutoring.understanding.concerns import detector
from tutoring.understanding.context import Context
from tutoring.understanding.message_analysis import MessageAnalysis, analysis_to_json
from tutoring.understanding.model_reading import merge, structured_call
from tutoring.understanding.model_reading.schema import is_worth_asking

TABLE_QUESTIONS: Final = 3
"""Questions that an agent of a round table may ask in one contribution; a discussion lives on them."""
NEVER_ASIDE: Final[frozenset[Destination]] = frozenset({"care", "new_topic"})
"""Where the conversation itself goes on: safety words, and the questions that place a learner in a new topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReading:
    """A turn's message with its analysis and the decision on it."""

    rows: TurnRows
    context: Context = field(default_factory=Context)
    analysis: MessageAnalysis | None = None
    state: DialogueState = field(default_factory=DialogueState)
    decision: Decision = field(default_factory=Decision)
    chosen: str = ""
    """The move that a connected model chose."""


def _decided(read: TurnReading) -> MessageReading:
    """Return an analysis with its decision; concepts named in the message are looked up for it."""
    assert read.analysis is not None
    state = message_context.load_dialogue_state(read.rows, read.analysis)
    decision = decide(state, read.analysis, move=read.chosen)
    if is_round_table(read.rows.turn):
        # Nothing else that the message may mean is done: the table was asked for by name.
        decision = Decision(effects=tuple(each for each in decision.effects if isinstance(each, NoteConcern)))
    return MessageReading(
        analysis=analysis_to_json(read.analysis), decision=replace(read, state=state, decision=decision)
    )


class TutoringTurnHandler(TurnHandler):
    """Serves every session: lessons if a concept was chosen, the lobby if not."""

    def read(self, turn: Turn) -> MessageReading | None:
        rows = TurnRows(turn)
        if turn.kind != Turn.Kind.MESSAGE:
            state = message_context.load_dialogue_state(rows, None)
            return MessageReading(analysis={}, decision=TurnReading(rows=rows, decision=decide(state, None)))
        context = message_context.load_context(rows)
        analysis = with_companion(analyse(rows.text, context), rows.text, context)
        return _decided(TurnReading(rows=rows, context=context, analysis=analysis))

    async def improve(self, turn: Turn, reading: MessageReading, payer: Payer) -> MessageReading:
        read: TurnReading = reading.decision
        if read.analysis is None or read.analysis.requests:
            return reading
        if not may_ask_model(turn.owner, structured_call.ROLE.tier):
            return reading
        if payer.is_saving:
            return reading
        if (for_planner := await route_by_model(read.rows, read.analysis, read.context.companion, payer)) is not None:
            return await in_orm_thread(_decided)(replace(read, analysis=for_planner))
        if not is_worth_asking(read.rows.text, read.analysis):
            return reading
        moves = find_allowed_moves(read.state, read.analysis, read.decision)
        context = replace(read.context, readers=await in_orm_thread(describe_readers)(turn.owner_id))
        request = structured_call.build_request(read.rows.text, context, read.analysis, moves)
        found = await structured_call.ask_model(request, speakers=speakers_for(payer, aside=structured_call.NAME))
        if found is None:
            return reading
        merged = merge.merge_reading(read.analysis, found, read.rows.text, read.context, moves=moves, passages=0)
        return await in_orm_thread(_decided)(replace(read, analysis=merged.analysis, chosen=merged.move or ""))

    def apply(self, turn: Turn, reading: MessageReading) -> None:
        read: TurnReading = reading.decision
        state = turn.session.state
        state[ROUTING_STATE_KEY] = reach_state(state.get(ROUTING_STATE_KEY), "classify_intent")
        try:
            effects.apply(read.rows, read.decision)
        except BaseException:
            # What was read in a transaction that is rolled back may be wrong.
            read.rows.forget()
            raise
        turn.decision = served_to_json(read.decision.served)

    def prepare(self, turn: Turn, reading: MessageReading | None = None) -> PreparedRun:
        served = decision_from_json(turn.decision or {})
        if caring.CARE in turn.payload:
            return _care_run(turn)
        rows = reading.decision.rows if reading is not None else TurnRows(turn)
        if is_round_table(turn):
            guard = partial(find_policy_problem, questions=TABLE_QUESTIONS)
            return prepare_table(turn, rows.text, guard=guard, history=load_prompt_history(rows).messages)
        graph, facts, choice = dispatch.dispatch_turn(rows, served)
        prepare_record(choice.to, rows.text)
        off = roles_off(graph, turn.session, turn.owner)
        changed = dispatch.changed_state(turn, graph, facts, choice)
        earlier = load_prompt_history(rows)
        request = Request(
            text=facts.text,
            history=earlier.messages,
            summary=earlier.summary.text,
            facts=facts,
            state={**turn.session.state, **changed},
        )
        return PreparedRun(
            graph=graph,
            request=request,
            choice=choice,
            classified=classified_event(facts, off=off) if isinstance(facts, PanelFacts) else None,
            off=off,
            changed=changed,
            summary_is_due=earlier.summary.is_due,
            rows=rows,
        )

    def settle(self, turn: Turn, result: RunResult, *, told: Sequence[Mapping[str, Any]]) -> None:
        record_companion_turn(turn, told)
        if caring.CARE in turn.payload or is_round_table(turn):
            return
        if (turn.decision or {}).get("to") == "companion":
            # Beside a lesson, who spoke last in it stays known.
            state = turn.session.state
            state[COMPANION_KEY] = settled_state(state, result.outcomes, turn=turn.number)
            return
        turn.session.state |= _last_routing(result, told)
        for outcome in result.outcomes:
            if isinstance(outcome, Answered) and isinstance(outcome.result, SpokenTurn) and outcome.result.elsewhere:
                transitions.restart_with_tutor(turn)
            if isinstance(outcome, Answered) and isinstance(outcome.result, SpokenTurn) and outcome.result.example:
                _note_example(turn, outcome.result.example)
            if isinstance(outcome, Answered) and isinstance(outcome.result, TutorTurn | QuizTurn):
                _open(outcome.result.new_question, turn)
            match outcome:
                case Answered(result=TutorTurn(overrode=overrode, begins=begun)) if overrode or begun:
                    hub.record_override(turn, overrode)
                    for concept in _concepts(turn, begun).values() if begun else ():
                        _cycle_on(concept, turn)
                case Answered(result=QuizTurn(doubted=prerequisite)) if prerequisite:
                    for concept in _concepts(turn, prerequisite).values():
                        progress.doubt_prerequisite(turn.owner, concept)
                case Answered(result=FeedbackTurn(cycle=number) as feedback) if number:
                    _close_cycle(feedback, turn)
                case Answered(result=DiagnosticTurn() as diagnosed):
                    placement_turns.store_diagnosis(turn, diagnosed)
                    if diagnosed.placed is not None and not _was_planned(result):
                        turn.session.state.pop(path_planning.NEXT_TOPIC_KEY, None)
                case Answered(result=PathTurn(next_topic=following)) if following:
                    transitions.start_path(turn, following)
        if _says_goodbye(turn):
            store_summary(turn, reason=ConversationSummary.Reason.GOODBYE)
            order_session_insights(turn.session_id)

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        return {ROUTING_STATE_KEY: reach_state(state.get(ROUTING_STATE_KEY), "awaiting_input")}

    def changed_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        changed = Q(status=Question.Status.OPEN)
        if attempt := turn.payload.get("attempt"):
            changed |= Q(attempts=attempt)
        if put_away := turn.payload.get(turn_undo.ABANDONED_QUESTIONS):
            changed |= Q(pk__in=put_away)
        earlier = Question.objects.filter(changed, session=turn.session).exclude(turn=turn).distinct()
        return [{"kind": "question", "id": str(key)} for key in earlier.values_list("pk", flat=True)]

    def judged_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        attempt = turn.payload.get("attempt")
        rows = Question.objects.filter(attempts=attempt, session=turn.session) if attempt else ()
        return [{"kind": "question", "id": str(row.pk), "judged": True} for row in rows]

    def may_show_to_model(self, drawing: Snapshot) -> bool:
        return detector.find_concern(hub.read_snapshot(drawing).text) is None

    def needs_care(self, text: str) -> bool:
        return detector.find_concern(text) is not None

    def may_rerun(self, turn: Turn) -> str:
        return turn_undo.undo_refusal(turn)

    def is_aside(self, turn: Turn) -> bool:
        served = decision_from_json(turn.decision or {})
        if served.to == "companion":
            return True
        return served.act in ASIDE_ACTS and served.to not in NEVER_ASIDE and caring.CARE not in turn.payload

    def intent(self, turn: Turn, text: str) -> Intent:
        return intent_of(text, decision_from_json(turn.decision or {}).act)

    def undo(self, turn: Turn) -> None:
        turn_undo.undo_turns(turn)

    def decided(self, result: Mapping[str, Any]) -> str:
        return agent_decisions.describe_decision(result)

    def stands(self, key: str, value: Any) -> str:
        return lesson_stage.routing_sentence(value) if key == ROUTING_STATE_KEY else ""

    def tested(self, session: Session) -> Sequence[tuple[int, str]]:
        return hub.tested_misconceptions(session)

    def lesson_context(self, session: Session) -> Mapping[str, Any]:
        lesson, where = lesson_of(session), lesson_stage.routing_sentence(session.state.get(ROUTING_STATE_KEY))
        if lesson is None:
            return {"stands": where}
        held = lesson_state(session.state)
        concept = taught_concept(lesson, held)
        row = Mastery.objects.filter(learner_id=lesson.learner_id, concept=concept).first()
        changes = MasteryChange.objects.filter(mastery=row).select_related("attempt").order_by("-pk")
        return {
            "settings_url": reverse("lesson-wishes", args=[session.key]),
            "pace": pace_choices.pace_context(session),
            "stands": where,
            "stage": lesson_stage.lesson_stage(
                session.state, taught=concept.title, most=concept.course.catalogue().cycles
            ),
            "course_title": concept.course.title,
            "course_url": concept.course.get_absolute_url(),
            "topic_title": concept.title,
            "mastery": mastery_view(concept, row, changes.first() if row else None, kept=reviews.recall_of(row)),
            "way": {} if placement_of(session.state).under_way else lesson_way.lesson_way(session, concept, held),
            "mastered_url": reverse("mastered", args=[concept.course.slug, concept.slug])
            if _is_moment(row, held)
            else "",
            "goal": lesson_way.goal_context(
                session.state.get("goals", ()),
                concept.course.catalogue(),
                concept.slug,
                reverse("path", args=[concept.course.slug]),
            ),
            "readers": partial(describe_readers, lesson.learner_id),
        }


def _is_moment(row: Mastery | None, held: LessonState) -> bool:
    return row is not None and row.mastered_at is not None and held.cycle.is_over


def _care_run(turn: Turn) -> PreparedRun:
    """Return the fixed safety words before the lesson, which does not change: no state, and no earlier messages."""
    facts = CareFacts(turn_id=str(turn.pk), words=caring.concern_reply(turn.owner, Concern.objects.get(turn=turn.pk)))
    choice = Choice(to="care", reason=_("Your safety comes before the lesson."))
    return PreparedRun(graph=graphs.CARE, request=Request(facts=facts, state=turn.session.state), choice=choice)


def _last_heard(result: RunResult) -> str:
    """Return the agent that the learner heard last; if none spoke, the one that worked last."""
    spoke = [
        each.agent
        for each in result.outcomes
        if isinstance(each, Answered) and isinstance(each.result, SpokenTurn) and each.result.spoke
    ]
    return (spoke or [each.agent for each in result.outcomes] or [""])[-1]


def _last_routing(result: RunResult, told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return who spoke last, and why the turn went there."""
    last = _last_heard(result)
    reasons = {each["to"]: each["reason"] for each in told if each["type"] in ("routed", "handed_off")}
    return {"last_routed_to": last} | ({"routing_reason": reasons[last]} if last in reasons else {})


def _says_goodbye(turn: Turn) -> bool:
    """Tell whether the message says that the learner stops here, in a lesson, a placement or without a topic."""
    served = decision_from_json(turn.decision or {})
    return served.act == "goodbye" or served.wish == "pause"


def _was_planned(result: RunResult) -> bool:
    """Tell whether the path planner has answered in the run."""
    return any(isinstance(each, Answered) and isinstance(each.result, PathTurn) for each in result.outcomes)


def _concepts(turn: Turn, *slugs: str) -> dict[str, Concept]:
    """Return concepts of the lesson's course by their slugs, without those removed since the turn was prepared."""
    there = Concept.objects.filter(slug__in=slugs, course__concepts__lessons__session=turn.session_id)
    return {each.slug: each for each in there.select_related("course").defer("course__content")}


def _note_example(turn: Turn, shown: PresentedExample) -> None:
    """Record that an example was shown, for the learner and in the shared state; the quiz cannot write the tutor's key."""
    provided = turn.session.state.get("examples_provided", [])
    if shown.id not in provided:
        turn.session.state["examples_provided"] = [*provided, shown.id]
    for concept in _concepts(turn, shown.concept).values():
        # Another conversation of the learner's may have shown the same meanwhile.
        ExampleShown.objects.get_or_create(
            learner=turn.owner, concept=concept, example=shown.id, defaults={"turn": turn}
        )


def _open(new: NewQuestion | None, turn: Turn) -> None:
    """Store the question asked, and its cycle; a question on a concept removed meanwhile was never asked."""
    if new is None:
        return
    found = _concepts(turn, new.exercise.concept, new.concept)
    if found.keys() != {new.exercise.concept, new.concept}:
        transitions.withdraw_question(turn, new)
        return
    # One question is open at a time: a step that was left for something else is closed.
    transitions.abandon_questions(turn, keep=question_id(str(turn.pk), new.number))
    progress.open_question(
        learner=turn.owner,
        session=turn.session,
        turn=turn,
        concept=found[new.exercise.concept],
        instance=new.exercise,
        purpose=new.purpose,
        number=new.number,
        total=new.total,
        from_before=new.from_before,
        cycle=_cycle_on(found[new.concept], turn),
    )


def _cycle_on(concept: Concept, turn: Turn) -> Cycle:
    """Return the cycle on the concept that is under way; without one, the turn starts the next."""
    cycle, is_new = progress.begin_cycle(learner=turn.owner, session=turn.session, concept=concept)
    if is_new:
        turn_undo.remember_rows(turn, turn_undo.BEGAN_CYCLES, cycle.pk)
    return cycle


def _close_cycle(feedback: FeedbackTurn, turn: Turn) -> None:
    concept = _concepts(turn, feedback.concept).get(feedback.concept)
    if concept is None:
        return
    cycle = progress.close_cycle(_cycle_on(concept, turn))
    turn_undo.remember_rows(turn, turn_undo.ENDED_CYCLES, cycle.pk)
    transitions.note_mastered(turn, cycle)
    if not cycle.mastery_achieved:
        for gap in feedback.gaps:
            goals.open_gap(turn.owner_id, concept, session=turn.session, words=gap.words)
    order_session_insights(turn.session_id)
    orders.order_if_wanted(turn.owner, concept)
