"""The tutoring room as host of conversations: what a message means, which graph answers it, what is kept of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from agents.conf import agent_settings
from agents.graph import Choice
from agents.history import prompt_history
from agents.outcomes import Answered
from agents.roles import ChatMessage, Request
from agents.runner import RunResult
from conversations.hosts import Host, Prepared
from conversations.models import Session, Snapshot, Turn
from tutoring import graphs
from tutoring.hub import gathering as hub
from tutoring.lessons import coordinating, gathering, named, placing, planning, standing, typed, undoing
from tutoring.models import (
    Attempt,
    Concept,
    Concern,
    Course,
    Cycle,
    ExampleShown,
    Lesson,
    Mastery,
    MasteryChange,
    Question,
)
from tutoring.presentation import decisions, paces, stages
from tutoring.presentation.contexts import mastery_view
from tutoring.records import goals, progress, reviews
from tutoring.roles.care import CareFacts
from tutoring.roles.placing import placement_of
from tutoring.roles.session import ROUTING
from tutoring.roles.state import LessonState, lesson_state
from tutoring.roles.turns import (
    DiagnosticTurn,
    Example,
    FeedbackTurn,
    NewQuestion,
    PathTurn,
    QuizTurn,
    Spoken,
    TutorTurn,
)
from tutoring.rules.cycle import led_to
from tutoring.rules.listening import Heard
from tutoring.rules.moves import LAST_RUNG
from tutoring.safety import noting as caring
from tutoring.safety import rules as safety
from tutoring.writing import orders

ASKS_FOR_HELP = frozenset({"hint_request", "does_not_know", "answer_demand"})


class TutoringHost(Host):
    """Serves every session: lessons where a concept was chosen, the lobby where none is yet."""

    def accept(self, turn: Turn, text: str) -> None:
        state = turn.session.state
        state[ROUTING] = led_to(state.get(ROUTING), "classify_intent")
        if turn.kind == Turn.Kind.MESSAGE and (found := _concern_in(turn, text)):
            caring.note_in(turn, found)
            return
        lesson = gathering.lesson_of(turn.session) or named.lesson_named(turn, text)
        if lesson is None:
            return
        if placement_of(turn.session.state).under_way:
            placing.take_in(turn, text, lesson)
            return
        standing.leave_detour_if_asked(turn, text, lesson)
        standing.move_on_if_asked(turn, text, lesson)
        named.take_up_named(turn, text, lesson)
        standing.note_milestones(turn, text, lesson)
        match turn.kind:
            case Turn.Kind.ANSWER:
                _give_earned_hint(turn)
            case Turn.Kind.MESSAGE:
                _take_in(turn, text, lesson)

    def prepare(self, turn: Turn) -> Prepared:
        if caring.CARE in turn.payload:
            return _care_first(turn)
        said = gathering.told(turn.session)
        graph, facts, choice = coordinating.coordinate(turn, said)
        changed = coordinating.changed_state(turn, graph, facts, choice)
        request = Request(
            text=facts.text,
            history=_history(said),
            facts=facts,
            state={**turn.session.state, **changed},
        )
        return Prepared(graph=graph, request=request, choice=choice, changed=changed)

    def settle(self, turn: Turn, result: RunResult, *, told: Sequence[Mapping[str, Any]]) -> None:
        if caring.CARE in turn.payload:
            return
        turn.session.state |= _ended_with(result, told)
        standing.rest_where_led(turn.session)
        for outcome in result.outcomes:
            if isinstance(outcome, Answered) and isinstance(outcome.result, Spoken) and outcome.result.elsewhere:
                standing.begin_elsewhere(turn)
            if isinstance(outcome, Answered) and isinstance(outcome.result, Spoken) and outcome.result.example:
                _note_example(turn, outcome.result.example)
            match outcome:
                case Answered(result=TutorTurn(overrode=overrode, begins=begun)) if overrode or begun:
                    hub.override(turn, overrode)
                    for concept in _concepts(turn, begun).values() if begun else ():
                        _cycle_on(concept, turn)
                case Answered(result=QuizTurn(doubted=prerequisite)) if prerequisite:
                    for concept in _concepts(turn, prerequisite).values():
                        progress.doubt(turn.owner, concept)
                case Answered(result=QuizTurn(new_question=NewQuestion() as new)):
                    _open(new, turn)
                case Answered(result=FeedbackTurn(cycle=number) as feedback) if number:
                    _close_cycle(feedback, turn)
                case Answered(result=DiagnosticTurn() as diagnosed):
                    placing.settle(turn, diagnosed)
                    if diagnosed.placed is not None and not _was_planned(result):
                        turn.session.state.pop(planning.FOLLOWING, None)
                case Answered(result=PathTurn(next_topic=following)) if following:
                    standing.begin_path(turn, following)

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        return {ROUTING: led_to(state.get(ROUTING), "awaiting_input")}

    def changed_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        changed = Q(status=Question.Status.OPEN)
        if attempt := turn.payload.get("attempt"):
            changed |= Q(attempts=attempt)
        if put_away := turn.payload.get(undoing.PUT_AWAY):
            changed |= Q(pk__in=put_away)
        earlier = Question.objects.filter(changed, session=turn.session).exclude(turn=turn).distinct()
        return [{"kind": "question", "id": str(key)} for key in earlier.values_list("pk", flat=True)]

    def may_be_read(self, drawing: Snapshot) -> bool:
        return safety.concern_in(hub.seen_in(drawing).text) is None

    def may_rerun(self, turn: Turn) -> str:
        return undoing.why_it_stays(turn)

    def undo(self, turn: Turn) -> None:
        undoing.undo(turn)

    def decided(self, result: Mapping[str, Any]) -> str:
        return decisions.decided(result)

    def stands(self, key: str, value: Any) -> str:
        return stages.stands(value) if key == ROUTING else ""

    def tested(self, session: Session) -> Sequence[tuple[int, str]]:
        return hub.tested_in(session)

    def surroundings(self, session: Session) -> Mapping[str, Any]:
        lesson, where = gathering.lesson_of(session), stages.stands(session.state.get(ROUTING))
        if lesson is None:
            return {"stands": where}
        held = lesson_state(session.state)
        concept = gathering.taught(lesson, held)
        row = Mastery.objects.filter(learner_id=lesson.learner_id, concept=concept).first()
        changes = MasteryChange.objects.filter(mastery=row).select_related("attempt").order_by("-pk")
        return {
            "settings_url": reverse("lesson-wishes", args=[session.key]),
            "pace": paces.shown(session),
            "stands": where,
            "stage": stages.stage(session.state, taught=concept.title, most=concept.course.catalogue().cycles),
            "course_title": concept.course.title,
            "course_url": concept.course.get_absolute_url(),
            "topic_title": concept.title,
            "mastery": mastery_view(concept, row, changes.first() if row else None, kept=reviews.kept_of(row)),
            "milestones": {}
            if placement_of(session.state).under_way
            else standing.milestones_view(lesson.learner_id, concept, held, row),
        }


def _concern_in(turn: Turn, text: str) -> safety.Concern | None:
    """Return what sounds like danger in a message, or in what is written on the drawing or photo that goes with it."""
    seen = hub.seen_with(turn)
    written = seen.text if seen is not None else ""
    return safety.concern_in(text) or (safety.concern_in(written) if written else None)


def _care_first(turn: Turn) -> Prepared:
    """Return the fixed words for what comes before the lesson, which stands still: no state, and nothing said before."""
    facts = CareFacts(turn_id=str(turn.pk), words=caring.reply(turn.owner, Concern.objects.get(turn=turn.pk)))
    choice = Choice(to="care", reason=_("This comes before the lesson."))
    return Prepared(graph=graphs.CARE, request=Request(facts=facts, state=turn.session.state), choice=choice)


def _last_heard(result: RunResult) -> str:
    """Return the agent that the learner heard last; where none spoke, the one that worked last."""
    spoke = [
        each.agent
        for each in result.outcomes
        if isinstance(each, Answered) and isinstance(each.result, Spoken) and each.result.spoke
    ]
    return (spoke or [each.agent for each in result.outcomes] or [""])[-1]


def _ended_with(result: RunResult, told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return who spoke last, and why the turn had gone there."""
    last = _last_heard(result)
    reasons = {each["to"]: each["reason"] for each in told if each["type"] in ("routed", "handed_off")}
    return {"last_routed_to": last} | ({"routing_reason": reasons[last]} if last in reasons else {})


def _was_planned(result: RunResult) -> bool:
    """Tell whether the path planner has answered in the run."""
    return any(isinstance(each, Answered) and isinstance(each.result, PathTurn) for each in result.outcomes)


def _take_in(turn: Turn, text: str, lesson: Lesson) -> None:
    """Store what a message means: an answer typed beside its card, a wish for a hint, an idea said."""
    held = lesson_state(turn.session.state)
    concept, question = gathering.taught(lesson, held), gathering.open_question(turn.session)
    heard = gathering.listen(text, row=concept, standing=held, question=question, seen=hub.seen_with(turn))
    if sent := coordinating.sent_elsewhere(turn, text, heard):
        standing.wait_while_elsewhere(turn, sent)
        return
    answer = typed.answer_in(heard, text, question, held)
    if heard.kind == "abandon" and held.cycle.state == "quiz_active":
        standing.leave_quiz(turn, concept)
    elif question is not None and typed.skips(heard, text, held):
        standing.put_away(turn)
    elif question is not None and answer:
        _record(turn, question, answer)
    elif question is not None and heard.kind in ASKS_FOR_HELP:
        _help(turn, question, tried=heard.kind == "does_not_know")
    elif question is not None and heard.kind in typed.SAYS_SOMETHING and not (held.contrast or held.cycle.paused):
        _give_hint(turn, question)  # Where an answer has earned one: how it came about was asked first.
    if not answer:
        _note_ideas(turn, heard, text, concept, held)


def _record(turn: Turn, question: Question, answer: str) -> None:
    recorded = progress.record_attempt(
        question, learner=turn.owner, answer=answer, idempotency_key=f"turn-{turn.pk.hex}"
    )
    if recorded.attempt is None:
        turn.payload["unreadable"] = recorded.judgement.reason or "unreadable"
    else:
        turn.payload["attempt"] = recorded.attempt.pk
    turn.save(update_fields=["payload"])
    if recorded.attempt is not None:
        _give_earned_hint(turn)


def _help(turn: Turn, question: Question, *, tried: bool) -> None:
    """Give the rung that was earned; "I don't know" earns each of them, and at the last one ends the question."""
    if tried and question.hints_used >= LAST_RUNG - 1:
        recorded = progress.give_up(question, learner=turn.owner, idempotency_key=f"turn-{turn.pk.hex}")
        assert recorded.attempt is not None
        turn.payload["attempt"] = recorded.attempt.pk
        turn.save(update_fields=["payload"])
    else:
        _give_hint(turn, question, tried=tried)


def _give_earned_hint(turn: Turn) -> None:
    """Give the rung that a wrong answer has earned, unless a misconception explains it: then its case comes first."""
    attempt = Attempt.objects.select_related("question").get(pk=turn.payload["attempt"])
    if attempt.correct or not attempt.question.is_open or (attempt.misconceptions and attempt.number == 1):
        return
    if attempt.verdict != "equivalent_not_in_form":
        _give_hint(turn, attempt.question)


def _give_hint(turn: Turn, question: Question, *, tried: bool = False) -> None:
    hint = progress.take_hint(question, tried=tried)
    given = hint.text if hint.rung is not None else undoing.hint_of_replaced(turn)
    if given:
        turn.payload[undoing.HINT] = given
        turn.save(update_fields=["payload"])


def _note_ideas(turn: Turn, heard: Heard, text: str, concept: Concept, held: LessonState) -> None:
    """Weigh what the learner's words say: for misconceptions, against the one just tested, or of why an answer is right."""
    course: Course = concept.course
    if said := [each.id for each in heard.said if each.in_lesson]:
        progress.note_utterance(turn.owner, course, said, heard.quote or text, turn)
    if heard.kind != "idea_said":
        return
    if held.contrast:
        progress.note_explanation(turn.owner, course, [held.contrast], text, turn)
    elif held.explaining and not held.cycle.is_over:
        gained = progress.note_self_explanation(turn.owner, concept)
        turn.payload[undoing.PRACTISED] = {"concept": concept.pk, "gained": gained}
        turn.save(update_fields=["payload"])


def _concepts(turn: Turn, *slugs: str) -> dict[str, Concept]:
    """Return concepts of the lesson's course by their slugs, but for those that are gone since the turn was prepared."""
    lesson = gathering.lesson_of(turn.session)
    return {each.slug: each for each in lesson.concept.course.concepts.filter(slug__in=slugs)} if lesson else {}


def _note_example(turn: Turn, shown: Example) -> None:
    """Keep that an example was shown, to the learner and in what the team shares; the quiz cannot write the tutor's key."""
    provided = turn.session.state.get("examples_provided", [])
    if shown.id not in provided:
        turn.session.state["examples_provided"] = [*provided, shown.id]
    for concept in _concepts(turn, shown.concept).values():
        # Another conversation of the learner's may have shown the same meanwhile.
        ExampleShown.objects.get_or_create(
            learner=turn.owner, concept=concept, example=shown.id, defaults={"turn": turn}
        )


def _open(new: NewQuestion, turn: Turn) -> None:
    """Store the question asked, and the cycle it belongs to; one on what is gone meanwhile was never asked."""
    found = _concepts(turn, new.exercise.concept, new.concept)
    if found.keys() != {new.exercise.concept, new.concept}:
        standing.unask(turn, new)
        return
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
    """Return the cycle on the concept that is under way; where none is, the turn begins the next one."""
    if (held := progress.cycle_under_way(turn.session, concept)) is not None:
        return held
    cycle = progress.begin_cycle(learner=turn.owner, session=turn.session, concept=concept)
    undoing.remember(turn, undoing.BEGAN_CYCLES, cycle.pk)
    return cycle


def _close_cycle(feedback: FeedbackTurn, turn: Turn) -> None:
    concept = _concepts(turn, feedback.concept).get(feedback.concept)
    if concept is None:
        return
    cycle = progress.close_cycle(_cycle_on(concept, turn))
    undoing.remember(turn, undoing.ENDED_CYCLES, cycle.pk)
    standing.note_mastered(turn, cycle)
    if not cycle.mastery_achieved:
        for gap in feedback.gaps:
            goals.open_gap(turn.owner_id, concept, session=turn.session, words=gap.words)
    orders.order_if_wanted(turn.owner, concept)


def _history(said: gathering.Told) -> tuple[ChatMessage, ...]:
    return prompt_history(
        [ChatMessage(author="learner" if author == "learner" else "team", text=text) for author, text, _ in said.rows],
        keep=agent_settings().prompt_messages,
    )
