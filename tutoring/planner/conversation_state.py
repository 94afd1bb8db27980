"""The planner's part of a conversation's state: who serves it, what was asked back, and what "it" means. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from agents.engine.outcomes import Answered, Outcome
from tutoring.planner.facts import CompanionTurn
from tutoring.planner.tools.results import COMPANION_KEY, FoundRow
from tutoring.planner.values import (
    AskedBack,
    CompanionContext,
    PlannerRequest,
    RowRef,
    from_json,
    requests_from_json,
    requests_to_json,
    to_json,
)

MEANT_FOR: Final = 4
"""Turns after which "it" no longer means a row, if the conversation was about something else since. Chosen by hand."""
MOST_ROWS_KEPT: Final = 10


def companion_context(state: Mapping[str, Any], *, turn: int, now: datetime, only_clear: bool) -> CompanionContext:
    """Return what the planner's reader has to know, from a session's state; `turn` is the number of the current turn."""
    held = state.get(COMPANION_KEY, {})
    passed = turn - int(held.get("turn", -MEANT_FOR))
    follows = passed == 1
    # In a lesson, "make it five" means the planner's row only right after the planner has spoken.
    meant = follows or (passed <= MEANT_FOR and not only_clear)
    try:
        return CompanionContext(
            now=now,
            asked=from_json(AskedBack, held["asked"]) if follows and held.get("asked") else None,
            waiting=requests_from_json(held.get("waiting", ())) if follows else (),
            last=from_json(RowRef, held["last"]) if meant and held.get("last") else None,
            last_request=from_json(PlannerRequest, held["last_request"])
            if meant and held.get("last_request")
            else None,
            listed=tuple(from_json(RowRef, each) for each in held.get("listed", ())) if meant else (),
            known=_known(held),
            agent=held.get("current_agent") or None if meant else None,
            follows=follows,
            can_undo=meant and bool(held.get("changes")),
            workspace=held.get("workspace") or "",
            only_clear=only_clear,
        )
    except (ValidationError, KeyError):  # Stored by another version of the program.
        return CompanionContext(now=now, only_clear=only_clear)


def settled_state(state: Mapping[str, Any], outcomes: Sequence[Outcome], *, turn: int) -> dict[str, Any]:
    """Return the planner's part of the state after a turn that its agents have served."""
    held = dict(state.get(COMPANION_KEY, {}))
    served = [(each.agent, each.result) for each in outcomes if isinstance(each, Answered)]
    turns = [(agent, result) for agent, result in served if isinstance(result, CompanionTurn)]
    if not turns:
        return held
    agents = [agent for agent, _result in turns]
    order = [*([held["current_agent"]] if held.get("current_agent") else []), *agents]
    contexts = dict(held.get("contexts", {}))
    for agent, result in turns:
        if result.rows or result.actions:
            known = [{"id": row.id, "title": row.title} for row in result.rows][-MOST_ROWS_KEPT:]
            contexts[agent] = {"actions": list(result.actions), "rows": known, "turn": turn}
    asked = next((result.asked for _agent, result in turns if result.asked is not None), None)
    rows = [row for _agent, result in turns for row in result.rows]
    shown = [row for _agent, result in turns for row in result.listed]
    last = _meant(rows, shown, held.get("last"))
    request = next((result.last_request for _agent, result in reversed(turns) if result.last_request is not None), None)
    changes = [change for _agent, result in turns for change in result.changes]
    previous = next((each for each in reversed(order[:-1]) if each != order[-1]), held.get("previous_agent"))
    return held | {
        "current_agent": agents[-1],
        "previous_agent": previous,
        # Nobody is handed anything any more once the turn has ended.
        "target_agent": None,
        "handoff_reason": next((result.reason for _agent, result in reversed(turns) if result.reason), None),
        "contexts": contexts,
        "asked": to_json(asked) if asked is not None else None,
        "waiting": requests_to_json([each for _agent, result in turns for each in result.waiting]),
        "last": last,
        "last_request": to_json(request) if request is not None else held.get("last_request"),
        "listed": [_ref(row) for row in shown[:MOST_ROWS_KEPT]] or held.get("listed", []),
        "changes": changes or held.get("changes", []),
        "turn": turn,
        "turn_count": int(held.get("turn_count", 0)) + 1,
    }


def _known(held: Mapping[str, Any]) -> tuple[RowRef, ...]:
    """Return the rows that the conversation has named: those that each agent changed last, and those that were listed."""
    changed = (
        RowRef(agent=agent, **row) for agent, context in held.get("contexts", {}).items() for row in context["rows"]
    )
    listed = (from_json(RowRef, each) for each in held.get("listed", ()))
    return tuple(dict.fromkeys((*changed, *listed)))


def _meant(changed: Sequence[FoundRow], shown: Sequence[FoundRow], before: Any) -> Any:
    """Return what "it" means after a turn: the row that was changed last, or the only one that was shown."""
    if changed:
        return _ref(changed[-1])
    if shown:
        return _ref(shown[0]) if len(shown) == 1 else None
    return before


def _ref(row: FoundRow) -> Any:
    return to_json(RowRef(agent=row.agent, id=row.id, title=row.title))
