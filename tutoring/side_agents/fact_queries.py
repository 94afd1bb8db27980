"""Reads the hub's notes for a turn, and the facts for its side agents."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from agents.engine import hub
from agents.rollout.flags import is_enabled
from conversations.board import snapshots
from conversations.drawing.rendering import render_png
from conversations.drawing.schema import Board
from conversations.models import Event, Finding, Message, Session, Snapshot, Turn
from tutoring.courses.catalogue import ConceptContent, CourseContent, Milestone
from tutoring.dialogue.queries.raw_sql import StoredMessage
from tutoring.lesson.drawing_facts import DrawingFacts
from tutoring.lesson.notes import MilestoneProgress, Notes
from tutoring.mastery.misconception_evidence import SUSPECTED, Suspicion, candidates_to_separate
from tutoring.mastery.records import milestones
from tutoring.mastery.records.lesson_settings import READS_PACE
from tutoring.mastery.turn_evidence import LearnerTurn
from tutoring.models import Attempt, Lesson, Policy
from tutoring.models import Concept as ConceptRow
from tutoring.safety.incidents import CARE
from tutoring.side_agents import self_reports
from tutoring.side_agents.emotion import AFFECT_FLAG
from tutoring.side_agents.notes import pending_findings, reached_name
from tutoring.side_agents.photos import load_photo, photo_with
from tutoring.understanding.message_analysis import MessageAnalysis, analysis_from_json

FIELDS = (
    "pk", "agent", "kind", "name", "words", "confidence", "content", "told_turn", "contested_at", "overridden_turn",
    "created_at", "turn__number", "turn__created_at", "resolved_turn_id", "resolved_turn__number",
)  # fmt: skip
FINDINGS_AT_MOST = 200
"""Latest findings that a turn is prepared from."""
LONGEST_S = 300.0
"""The most that one attempt counts as time on a milestone: a learner who is away for a night does not work on it."""
EXCHANGES = 20
ACTION_VALID_TURNS = 2
"""Turns after which a finding about the pace says nothing about now."""


def may_analyze_mood(person: Any, state: Mapping[str, Any], *, agreed: bool | None = None) -> bool:
    """Tell whether the pace may be estimated: the flag is on, the learner has not said no, and no class of theirs has.

    `agreed` is what their classes say, if that is known already.
    """
    if state.get(READS_PACE) is False or not is_enabled(AFFECT_FLAG, person):
        return False
    if agreed is not None:
        return agreed
    classes = Policy.objects.filter(
        classroom__memberships__person=person.pk,
        classroom__memberships__role="learner",
        classroom__archived_at=None,
    )
    return all(classes.values_list("affect", flat=True))


def recent_findings(session: Session) -> list[dict[str, Any]]:
    """Return what was noticed lately in a conversation, oldest turn first, however late it came; one query."""
    rows = Finding.objects.filter(session=session, turn__replaced_by=None).order_by("-turn__number", "-pk")
    return list(rows.values(*FIELDS)[:FINDINGS_AT_MOST])[::-1]


def gather_notes(
    turn: Turn,
    rows: Sequence[Mapping[str, Any]],
    *,
    lesson: Lesson,
    course: CourseContent,
    concept: ConceptContent,
    reached: Sequence[bool],
    suspicions: Mapping[str, Suspicion],
    tested: Collection[str],
    seen: DrawingFacts | None,
    answered: Collection[int],
    agreed: bool,
) -> Notes:
    """Return the hub's notes for this turn.

    `answered` are the numbers of turns with an answer on the concept, `agreed` is as for `may_look_at_mood`.
    """
    may_look = any(row["agent"] == "emotion" for row in rows) and may_analyze_mood(
        turn.owner, turn.session.state, agreed=agreed
    )
    if not may_look:
        rows = [row for row in rows if row["agent"] != "emotion"]
    rows = self_reports.without_overridden(rows, at=turn.created_at)
    found = pending_findings(rows, turn=turn.number)
    standing = hub.select_findings([finding for _pk, finding in found], turn=turn.number)
    mood = _mood(rows, turn.number)
    test = _to_test(rows, turn.number, course=course, concept=concept, suspicions=suspicions, tested=tested)
    names = {(each.kind, each.name, each.turn) for each in standing}
    return Notes(
        findings=standing,
        told=tuple(pk for pk, each in found if (each.kind, each.name, each.turn) in names),
        to_test=test["name"] if test else "",
        test_row=test["pk"] if test else None,
        to_tell_apart=_to_tell_apart(rows, turn.number, suspicions=suspicions),
        wanted=mood["content"]["wanted"] if mood else "",
        mood_row=mood["pk"] if mood else None,
        progress=_progress(turn, rows, lesson=lesson, concept=concept, reached=reached, answered=answered),
        seen=seen,
    )


def drawing_with(turn: Turn) -> DrawingFacts | None:
    """Return what the turn's drawing or photo shows; no query if there is none."""
    snapshot = snapshots.drawing_of(turn)
    if snapshot is None:
        return photo_with(turn)
    return replace(read_snapshot(snapshot), is_new=snapshot.turn_id == turn.pk)


def read_snapshot(snapshot: Snapshot) -> DrawingFacts:
    """Return what a drawing shows, by geometry."""
    reading = snapshot.reading
    return DrawingFacts(
        snapshot=str(snapshot.pk),
        description=reading.get("description", ""),
        shares=tuple(reading.get("shares", ())),
        count=reading.get("count", 0),
        equal=reading.get("equal"),
        text=reading.get("text", ""),
        question=reading.get("question", ""),
        confidence=reading.get("confidence", 0.0),
        seconds_ago=max(0.0, (timezone.now() - snapshot.created_at).total_seconds()),
    )


def load_picture(seen: DrawingFacts | None, session: Session) -> DrawingFacts | None:
    """Return what a drawing shows with the image itself, for a model with vision; one query."""
    if seen is not None and seen.photo:
        return load_photo(seen)
    snapshot = session.snapshots.filter(pk=seen.snapshot, deleted_at=None).first() if seen else None
    if seen is None or snapshot is None:
        return seen
    return replace(seen, picture=render_png(Board.model_validate(snapshot.board)))


def current_milestone(
    lesson: Lesson, row: ConceptRow, *, said: Collection[str], suspicions: Mapping[str, Suspicion]
) -> Milestone | None:
    """Return the first milestone taught that is not reached; one query."""
    reached = milestones.milestones_reached(lesson.learner_id, row, said=said, suspicions=suspicions)
    return next((each for each, done in zip(row.value().milestones, reached, strict=True) if not done), None)


def _is_in_force(row: Mapping[str, Any]) -> bool:
    return row["contested_at"] is None and row["overridden_turn"] is None and row["resolved_turn_id"] is None


def _to_test(
    rows: Sequence[Mapping[str, Any]],
    turn: int,
    *,
    course: CourseContent,
    concept: ConceptContent,
    suspicions: Mapping[str, Suspicion],
    tested: Collection[str],
) -> Mapping[str, Any] | None:
    """Return the latest misconception of the topic that a side agent noticed lately and nobody has tested."""
    row: Mapping[str, Any]
    for row in reversed(rows):
        held = suspicions.get(row["name"])
        misconception = course.misconceptions.get(row["name"]) if row["kind"] == "misconception" else None
        is_new = misconception is not None and concept.id in misconception.concepts
        is_new = is_new and row["agent"] == "misconception" and 0 < turn - row["turn__number"] <= hub.MAX_AGE_TURNS
        if is_new and _is_in_force(row) and row["name"] not in tested and held and held.confidence >= SUSPECTED:
            return row
    return None


def _to_tell_apart(rows: Sequence[Mapping[str, Any]], turn: int, *, suspicions: Mapping[str, Suspicion]) -> bool:
    """Tell whether the turn before leaves two or more misconceptions likely."""
    latest = next((row for row in reversed(rows) if row["kind"] == "competing"), None)
    if latest is None or not _is_in_force(latest) or turn - latest["turn__number"] != 1:
        return False
    rivals = {each: suspicions[each] for each in latest["content"]["rivals"] if each in suspicions}
    return bool(candidates_to_separate(rivals))


def _mood(rows: Sequence[Mapping[str, Any]], turn: int) -> Mapping[str, Any] | None:
    """Return the latest finding about the pace if it calls for something now."""
    latest = next((row for row in reversed(rows) if row["kind"] == "emotion"), None)
    if latest is None or not _is_in_force(latest) or turn - latest["turn__number"] > ACTION_VALID_TURNS:
        return None
    is_fresh = latest["told_turn"] is None  # A finding in a turn's instructions was acted on there.
    return latest if is_fresh and latest["content"].get("wanted") else None


def _progress(
    turn: Turn,
    rows: Sequence[Mapping[str, Any]],
    *,
    lesson: Lesson,
    concept: ConceptContent,
    reached: Sequence[bool],
    answered: Collection[int],
) -> MilestoneProgress:
    every = concept.milestones
    ids = {each.id for each in every}
    told = {row["name"] for row in rows if row["kind"] == "milestone"}
    granted = [
        row
        for row in rows
        if row["kind"] == "milestone" and row["content"].get("milestone") in ids and row["content"].get("reached")
    ]
    since, began = (granted[-1]["turn__number"], granted[-1]["turn__created_at"]) if granted else (0, lesson.created_at)
    turns = max(0, turn.number - since)
    return MilestoneProgress(
        milestone=next((each for each, done in zip(every, reached, strict=True) if not done), None),
        untold=next(
            (each for each, done in zip(every, reached, strict=True) if done and reached_name(each.id) not in told),
            None,
        ),
        done=sum(reached),
        total=len(every),
        attempts=sum(since < each <= turn.number for each in answered),
        seconds=_seconds(began, turn.created_at, most=turns * LONGEST_S),
    )


def _seconds(since: datetime, until: datetime, *, most: float) -> float:
    return min(most, max(0.0, (until - since).total_seconds()))


def record_override(turn: Turn, reasons: Mapping[int, str]) -> None:
    """Record that the tutor has overridden these findings, and why. The caller has the transaction."""
    for pk, why in reasons.items():
        Finding.objects.filter(pk=pk, session=turn.session_id).update(overridden_turn=turn, overridden_why=why)


def tested_misconceptions(session: Session) -> list[tuple[int, str]]:
    """Return in which turns a misconception's case was shown, and which one; for an answer none is named. One query."""
    shown = Event.objects.filter(
        turn__session=session, turn__replaced_by=None, type="agent_finished", body__result__move="contrast_case"
    )
    found = shown.order_by("turn__number").values_list("turn__number", "body__result__misconception")
    return [(number, name or "") for number, name in found]


# --- For the side agents ---


def gather_exchanges(turn: Turn, lines: Sequence[StoredMessage], answers: Sequence[Attempt]) -> tuple[LearnerTurn, ...]:
    """Return the learner's latest turns, this one last, from recent messages and answers."""
    in_force = {each.turn.pk: each.turn for each in lines} | {turn.pk: turn}
    turns = [each for each in in_force.values() if CARE not in each.payload][-EXCHANGES - 1 :]
    texts = {each.turn.pk: each.text for each in lines if each.author == Message.Author.LEARNER}
    attempts = {row.pk: row for row in answers}
    found = []
    for before, each in zip((None, *turns), turns, strict=False):
        if each.kind == Turn.Kind.OPEN:
            continue
        attempt = attempts.get(each.payload.get("attempt", 0))
        found.append(_exchange(each, attempt, before, text=texts.get(each.pk, "")))
    return tuple(found[-EXCHANGES:])


def stored_analysis(turn: Turn) -> MessageAnalysis | None:
    """Return the analysis of a turn's message; None without one, or in another version."""
    return analysis_from_json(turn.analysis) if turn.analysis else None


def _exchange(turn: Turn, attempt: Attempt | None, before: Turn | None, *, text: str) -> LearnerTurn:
    waited = None
    if before is not None and before.finished_at is not None:
        waited = max(0.0, (turn.created_at - before.finished_at).total_seconds())
    read = stored_analysis(turn) or MessageAnalysis()
    said: dict[str, Any] = {
        "mood": "ok" if read.about else read.mood,  # A loss or an illness says nothing about the lesson.
        "sure": read.mood_probability,
        "milestones": {each.id: each.quote for each in read.milestones},
        "hints": int(bool(turn.payload.get("hint"))),
    }
    if attempt is None:
        return LearnerTurn(text=text, latency_s=waited, **said)
    change = getattr(attempt, "change", None)
    return LearnerTurn(
        text=attempt.question.shown(attempt.answer) if not attempt.gave_up else "",
        latency_s=attempt.time_taken_s if attempt.time_taken_s is not None else waited,
        correct=attempt.correct,
        expected=change.predicted if change else None,
        assisted=attempt.assisted,
        **said,
    )
