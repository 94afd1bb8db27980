"""Store what side agents found: findings, analyses, looks at a drawing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q

from agents.engine.events import FindingMade
from agents.storage.raw_sql import insert_rows
from conversations.models import Analysis, Finding, Snapshot, Turn
from conversations.turns.side_agents import SideAgentResult, registered_listener


def store_board_look(drawing: Snapshot, noticed: SideAgentResult, *, person_id: int) -> None:
    """Store what was seen of a drawing that nobody has spoken of yet; nothing of one that is gone by now."""
    whose = {"session_id": drawing.session_id, "person_id": person_id}
    insert_rows(Analysis, [whose | dict(each) for each in _without_deleted_drawings(noticed).analyses])


def _without_deleted_drawings(noticed: SideAgentResult) -> SideAgentResult:
    """Return what was noticed but for what is of a drawing that was deleted meanwhile; no query where none was looked at.

    A row of one that is gone would cost the whole batch of the writer: keys are checked when all of it is committed.
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
    """Store what was noticed; the caller has the transaction. `findings`: those too, which else go with the turn."""
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
    """Store what was noticed of a turn after its end; tell whether any of it is news. The caller has the transaction.

    By then the message may have been said anew, or have gone with its conversation; another process may have taken the
    turn up and listened too; and later turns may have shown the same, or that it is settled.
    """
    in_force = list(Turn.objects.filter(pk=turn.pk).values_list("replaced_by", flat=True))
    heard = Analysis.objects.filter(turn=turn.pk, agent__in=[each["agent"] for each in noticed.analyses])
    if not in_force or heard.exists():
        return False
    fresh = _unresolved_since(turn, noticed.findings) if in_force == [None] else []
    store_result(turn, replace(noticed, findings=fresh, told=()), findings=True)
    return bool(fresh)


def _unresolved_since(turn: Turn, findings: Sequence[FindingMade]) -> list[FindingMade]:
    """Return the findings that no later turn has shown by now, or settled; one query."""
    since = Q(turn__number__gt=turn.number) | Q(resolved_turn__number__gt=turn.number)
    rows = Finding.objects.filter(since, session=turn.session_id, turn__replaced_by=None)
    known = set(rows.values_list("kind", "name"))
    return [each for each in findings if (each.kind, each.name) not in known]


def store_findings(turn: Turn, told: Sequence[Mapping[str, Any]]) -> None:
    """Store findings of a turn, as events; a resolved one closes those of its name. The caller has the transaction."""
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
