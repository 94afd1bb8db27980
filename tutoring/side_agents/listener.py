"""The listener of tutoring conversations: analyzes a lesson's turn with side agents, and stores what they noticed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from agents.engine.events import FindingMade
from agents.engine.graph import Graph, parallel
from agents.engine.roles import Request
from agents.engine.runner import RunResult
from agents.models import ModelCall
from agents.runtime.speaker_selection import model_name_for
from agents.storage.raw_sql import placeholders, select_rows
from conversations.board import snapshots
from conversations.models import Analysis, Finding, Session, Snapshot, Turn
from conversations.turns.handler import PreparedRun
from conversations.turns.side_agents import SideAgentListener, SideAgentResult
from conversations.turns.side_agents import SideAgentTask as ToHear
from tutoring.dialogue.queries import lesson_facts as lessons
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.state import lesson_state
from tutoring.mastery.misconception_evidence import SUSPECTED
from tutoring.mastery.records import contests, milestones, suspected_misconceptions
from tutoring.output_checks.answer_leak_guard import OpenQuestion
from tutoring.roles.speech.answer_guard import open_question
from tutoring.safety.incidents import CARE
from tutoring.side_agents import agent_analyses, fact_queries, finding_rules
from tutoring.side_agents.agent_analyses import SIDE_AGENTS, AgentAnalysis, CodeJudgement
from tutoring.side_agents.utterance_facts import OverheardUtterance
from tutoring.understanding.concerns.detector import find_concern


@dataclass(frozen=True, slots=True, kw_only=True)
class OverheardTurn:
    """A turn with its utterance for the side agents."""

    facts: OverheardUtterance
    own: Mapping[str, CodeJudgement]
    reused: tuple[AgentAnalysis, ...] = ()
    """Earlier analyses of equal utterances."""
    standing: frozenset[str] = frozenset()
    """Names of current findings in the conversation."""
    mood: Mapping[str, Any] = field(default_factory=dict)
    """The last finding about the pace."""
    told: tuple[int, ...] = ()
    """Rows of the findings in this turn's instructions."""
    turn: Turn | None = None
    """None for a drawing that has no message yet."""
    drawing: UUID | None = None


class TutoringListener(SideAgentListener):
    """Listens to the turns of lessons; the lobby and the planner have nothing to analyze yet."""

    def hears(self, turn: Turn, prepared: PreparedRun) -> bool:
        facts = prepared.request.facts
        is_lesson = isinstance(facts, LessonFacts) and facts.kind != "open"
        return is_lesson and CARE not in turn.payload and prepared.rows is not None

    def prepare_task(self, turn: Turn, prepared: PreparedRun) -> ToHear | None:
        facts: LessonFacts = prepared.request.facts
        held: TurnRows = prepared.rows
        if not self.hears(turn, prepared) or held.lesson is None:
            return None
        rows = held.findings
        names = tuple(_agents_to_run(held, facts))
        by = {name: model_name_for(turn.owner, SIDE_AGENTS[name].ROLE.tier) for name in names}
        overheard = _gather_utterance(held, facts, told=prepared.request)
        if by.get("vision"):
            overheard = replace(overheard, seen=fact_queries.load_picture(overheard.seen, turn.session))
        own = agent_analyses.judge_by_code(overheard, names, by=by)
        reused = _reusable_analyses(turn.session, own)
        own = {name: each for name, each in own.items() if name not in {one.agent for one in reused}}
        heard = OverheardTurn(
            facts=overheard,
            own=own,
            reused=tuple(reused),
            standing=_standing(rows, facts),
            mood=next((row["content"] for row in reversed(rows) if row["kind"] == "emotion"), {}),
            told=facts.notes.told,
            turn=turn,
        )
        return _side_agent_task(heard, tuple(name for name in own if by[name]))

    def look(self, drawing: Snapshot) -> ToHear | None:
        lesson = lessons.lesson_of(drawing.session)
        by = model_name_for(drawing.session.owner, SIDE_AGENTS["vision"].ROLE.tier)
        if lesson is None or not by:
            return None
        row = lessons.taught_concept(lesson, lesson_state(drawing.session.state))
        read = fact_queries.read_snapshot(drawing)
        if find_concern(read.text):
            return None  # A safety turn waits for its message, and no model sees it.
        seen = fact_queries.load_picture(read, drawing.session)
        held = suspected_misconceptions.suspicions_of(lesson.learner_id, row.course)
        question = lessons.open_question(drawing.session)
        facts = OverheardUtterance(
            turn=0,
            open_question=OpenQuestion(instance=question.instance()) if question else None,
            course=row.course.catalogue(),
            concept=row.value(),
            milestone=fact_queries.current_milestone(
                lesson, row, said=lesson_state(drawing.session.state).said, suspicions=held
            ),
            seen=seen,
        )
        own = agent_analyses.judge_by_code(facts, ("vision",), by={"vision": by})
        if _reusable_analyses(drawing.session, own):
            return None
        return _side_agent_task(OverheardTurn(facts=facts, own=own, drawing=drawing.pk), tuple(own))

    def told(self, prepared: PreparedRun) -> Sequence[int]:
        facts = prepared.request.facts
        return facts.notes.told if isinstance(facts, LessonFacts) else ()

    def noticed(self, overheard: ToHear, result: RunResult | None) -> SideAgentResult:
        heard: OverheardTurn = overheard.facts
        outcomes = {each.agent: each for each in result.outcomes} if result else {}
        analyses = [*agent_analyses.combine_analyses(heard.facts, heard.own, outcomes), *heard.reused]
        found = finding_rules.make_findings(heard.facts, analyses, standing=heard.standing, last_mood=dict(heard.mood))
        findings = list(found)
        return SideAgentResult(findings=findings, analyses=[_row(each, heard) for each in analyses], told=heard.told)

    def keep(self, turn: Turn, noticed: SideAgentResult) -> None:
        lesson = lessons.lesson_of(turn.session)
        if lesson is None:
            return
        for each in noticed.findings:
            for idea, chance in _likely_ideas(each).items():
                suspected_misconceptions.weigh_classified(
                    learner_id=turn.owner_id,
                    course=lesson.concept.course,
                    misconception=idea,
                    confidence=chance,
                    quote=each.evidence,
                    turn_id=str(turn.pk),
                )

    def contested(self, finding: Finding, *, is_so: bool) -> None:
        lesson = lessons.lesson_of(finding.session)
        if finding.kind != "misconception" or lesson is None:
            return
        where: dict[str, Any] = {
            "learner_id": finding.session.owner_id,
            "course": lesson.concept.course,
            "misconception": finding.name,
            "turn_id": str(finding.turn_id),
        }
        owner, course = finding.session.owner, lesson.concept.course
        if not is_so:
            finding.content["taken_back"] = suspected_misconceptions.retract_misconception(**where)
            contests.contest_idea(owner, course, finding.name, reason="")
            return
        said = contests.contested_ideas([owner.pk], course).get((owner.pk, finding.name))
        if said is not None and said.decided_at is None:
            contests.take_back(said)
        if sources := finding.content.pop("taken_back", ()):
            sure = finding.confidence or SUSPECTED
            suspected_misconceptions.restore_misconception(
                **where, sources=sources, quote=finding.evidence, confidence=sure
            )


def _side_agent_task(heard: OverheardTurn, asked: tuple[str, ...]) -> ToHear:
    """Return what is to be analyzed, by those for which a model is asked too."""
    if not asked:
        return ToHear(facts=heard)
    results = {name: heard.own[name].output for name in asked}
    request = Request(text=heard.facts.text, facts=heard.facts, results=results)
    return ToHear(facts=heard, graph=Graph(name="hub", root=parallel(*asked)), request=request)


def _likely_ideas(found: FindingMade) -> Mapping[str, float]:
    """Return the misconceptions that show, each with its probability."""
    if found.kind == "misconception":
        return {found.name: found.confidence or SUSPECTED}
    # Competing ones too, so that a question that tells them apart is looked for; one that was suspected before and does
    # not show now has no chance.
    return {idea: chance for idea, chance in found.content.get("rivals", {}).items() if chance}


def _gather_utterance(held: TurnRows, facts: LessonFacts, *, told: Request) -> OverheardUtterance:
    """Gather the facts for the side agents."""
    turn, row, answered = held.turn, held.taught, facts.answered
    assert row is not None
    exchanges = fact_queries.gather_exchanges(turn, held.lines, held.answers)
    belief = facts.beliefs.get(facts.concept.id)
    uses = milestones.uses_in(held.answers, row)
    return OverheardUtterance(
        turn=turn.number,
        text=facts.text,
        analysis=fact_queries.stored_analysis(turn),
        kind="answer" if answered else "message",
        question=facts.asked.instance.stem if facts.asked and answered else "",
        answer=answered.answer if answered else "",
        correct=answered.correct if answered else None,
        course=facts.course,
        concept=facts.concept,
        milestone=facts.notes.progress.untold or facts.notes.progress.milestone,
        said=frozenset(facts.lesson.said),
        milestone_attempts=facts.notes.progress.attempts,
        mastery=belief.probability if belief and belief.answers else None,
        streak=_streak(uses),
        suspicions=facts.suspicions,
        exchanges=exchanges,
        own_words=(*(each.text for each in told.history if each.author == "learner"),),
        told=tuple(each.text for each in told.history if each.author == "team"),
        uses=uses,
        seen=facts.notes.seen,
        open_question=open_question(facts),
        self_report=held.feeling,
    )


def _streak(uses: tuple[Any, ...]) -> int:
    """Return how many answers, latest first, were right without help."""
    streak = 0
    for use in reversed(uses):
        if not use.correct or use.assisted:
            break
        streak += 1
    return streak


def _agents_to_run(held: TurnRows, facts: LessonFacts) -> list[str]:
    """Return the side agents that have something to analyze in this turn."""
    turn, standing = held.turn, held.standing
    agreed = standing.classes_agree if standing is not None else None
    there = {
        "misconception": bool(facts.text) or (facts.answered is not None and not facts.answered.correct),
        "emotion": fact_queries.may_analyze_mood(turn.owner, turn.session.state, agreed=agreed),
        "milestone": bool(facts.notes.progress.untold or facts.notes.progress.milestone),
        "vision": facts.notes.seen is not None and facts.notes.seen.is_new,
    }
    return [name for name in SIDE_AGENTS if there.get(name)]


def _standing(rows: list[dict[str, Any]], facts: LessonFacts) -> frozenset[str]:
    """Return the names of current findings, and of what the lesson itself says in this turn."""
    there = {row["name"] for row in rows if row["resolved_turn_id"] is None}
    heard = {facts.served.misconception} - {""}
    return frozenset(there | heard | set(facts.answered.matched if facts.answered else ()) | {facts.lesson.contrast})


def _reusable_analyses(session: Session, own: Mapping[str, CodeJudgement]) -> list[AgentAnalysis]:
    """Return earlier analyses of the very same utterance in this conversation; one query."""
    if not own:
        return []
    keys = {each.key: name for name, each in own.items()}
    condition = f"session_id = %s AND status = %s AND NOT reused AND key IN ({placeholders(keys)}) ORDER BY id"
    found = {}
    for row in select_rows(Analysis, condition, [session.pk, Analysis.Status.TAKEN, *keys]):
        name = keys[row.key]
        output = type(own[name].output).model_validate(row.output)
        found[name] = AgentAnalysis(agent=name, output=output, key=row.key, reused=True)
    return list(found.values())


def _row(each: AgentAnalysis, heard: OverheardTurn) -> dict[str, Any]:
    """Return an analysis's row; with the model's text if it did not even have the right shape."""
    drawing = heard.drawing or (heard.turn.payload.get(snapshots.KEY) if heard.turn else None)
    row = each.row() | {"snapshot_id": drawing if each.agent == "vision" else None}
    if each.reason == "LLMInvalidOutput" and heard.turn is not None:
        calls = ModelCall.objects.filter(turn_id=heard.turn.pk, agent=each.agent).order_by("-pk")
        row["rejected"] = {
            "text": (calls.values_list("reply", flat=True).first() or "")[: agent_analyses.MODEL_OUTPUT_LENGTH]
        }
    return row
