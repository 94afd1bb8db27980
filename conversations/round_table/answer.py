"""What a finished round table stores with its turn."""

from typing import Any

from agents.engine.runner import RunResult
from conversations.round_table.names import GRAPH_NAME, INITIATOR, PAYLOAD_KEY, SUMMARIZER
from conversations.round_table.results import TableGoal, TableSummary
from conversations.round_table.table import Table, spoken_so_far
from conversations.turns.handler import PreparedRun


def table_fields(prepared: PreparedRun | None, result: RunResult | None) -> dict[str, Any]:
    """Return the field of the answer that a round table gives: goal, rounds, summary; none for other turns.

    Words quoted from documents are left out; they are read again with the reader's permissions.
    """
    if prepared is None or prepared.graph.name != GRAPH_NAME or result is None or result.request is None:
        return {}
    request = result.request
    table: Table = prepared.request.facts
    goal, summary = request.results.get(INITIATOR), request.results.get(SUMMARIZER)
    return {
        PAYLOAD_KEY: {
            "goal": goal.model_dump(mode="json") if isinstance(goal, TableGoal) else None,
            "summary": summary.model_dump(mode="json") if isinstance(summary, TableSummary) else None,
            "agents": [seat.name for seat in table.seats],
            "contributions": [
                {"agent": each.agent, "text": each.text} | each.contribution.model_dump(mode="json")
                for each in spoken_so_far(table, request)
            ],
            "store": [each.model_dump(mode="json") for each in table.store.entries()],
        }
    }
