"""Stores side agents' results: findings, analyses, interpretations of drawings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q

from agents.engine.events import FindingMade
from agents.storage.raw_sql import insert_rows
from conversations.models import Analysis, Finding, Snapshot, Turn
from conversations.turns.side_agents import SideAgentResult, registered_listener


def store_board_look(drawing: Snapshot, noticed: SideAgentResult, *, person_id: int) -> None:
    """Store what was seen in a drawing not yet sent with a message; nothing if it was deleted."""
    whose = {"session_id": drawing.session_id, "person_id": person_id}
    insert_rows(Analysis, [whose | dict(each) for each in _without_deleted_drawings(noticed).analyses])


def _without_deleted_drawings(noticed: SideAgentResult) -> SideAgentResult:
    """Return the result without parts about drawings deleted in the meantime; makes no query if there are none.

    A row that references a deleted drawing would fail the writer's whole batch, because keys are checked at commit.
    """
    looked_at = {str(each["snapshot_id"]) for each in noticed.analyses if each.get("snapshot_id")}
    if not looked_at:
        return noticed
    there = Snapshot.objects.filter(pk__in=looked_at, deleted_at=None).values_list("pk", flat=True)
    gone = looked_at - {str(pk) for pk in there}
    return replace(
        noticed,
        analyses=[each for each in noticed.analyses if str(each.get("snapshot_id")) not in gone],
        findings=[each for each in noticed.findings if each.content.get("snapshot") not in gone],
    )


def store_result(turn: Turn, noticed: SideAgentResult, *, findings: bool) -> None:
    """Store a result; the caller opens the transaction. `findings`: store those too; otherwise the turn's end does."""
    noticed = _without_deleted_drawings(noticed)
    if noticed.told:
        Finding.objects.filter(pk__in=noticed.told).update(told_turn=turn.number)
    whose = {"session_id": turn.session_id, "turn_id": turn.pk, "person_id": turn.owner_id}
    insert_rows(Analysis, [whose | dict(each) for each in noticed.analyses])
    if findings:
        store_findings(turn, [finding.as_wire() for finding in noticed.findings])
    if noticed.findings and (listener := registered_listener()):
        listener.keep(turn, noticed)


def store_late_result(turn: Turn, noticed: SideAgentResult) -> bool:
    """Store a result after the turn's end; return whether it has new findings. The caller opens the transaction.

    By then the message may have been edited or deleted with its conversation; another process may have taken over the
    turn and listened too; and later turns may have found the same, or resolved it.
    """
    in_force = list(Turn.objects.filter(pk=turn.pk).values_list("replaced_by", flat=True))
    heard = Analysis.objects.filter(turn=turn.pk, agent__in=[each["agent"] for each in noticed.analyses])
    if not in_force or heard.exists():
        return False
    fresh = _unresolved_since(turn, noticed.findings) if in_force == [None] else []
    store_result(turn, replace(noticed, findings=fresh, told=()), findings=True)
    return bool(fresh)


def _unresolved_since(turn: Turn, findings: Sequence[FindingMade]) -> list[FindingMade]:
    """Return the findings that no later turn has repeated or resolved; one query."""
    since = Q(turn__number__gt=turn.number) | Q(resolved_turn__number__gt=turn.number)
    rows = Finding.objects.filter(since, session=turn.session_id, turn__replaced_by=None)
    known = set(rows.values_list("kind", "name"))
    return [each for each in findings if (each.kind, each.name) not in known]


def store_findings(turn: Turn, told: Sequence[Mapping[str, Any]]) -> None:
    """Store findings given as events; a resolved one closes those of its name. The caller opens the transaction."""
    for body in told:
        if body["resolved"]:
            earlier = Finding.objects.filter(
                session=turn.session_id, name=body["name"], resolved_turn=None, turn__replaced_by=None
            )
            earlier.update(resolved_turn=turn)
        else:
            Finding.objects.create(
                session_id=turn.session_id,
                turn=turn,
                agent=body["agent"],
                kind=body["kind"],
                name=body["name"],
                words=body["words"],
                evidence=body["evidence"],
                confidence=body["confidence"],
                content=dict(body["content"]),
            )
