"""What a finished round table stores with its turn."""

from typing import Any

from agents.engine.roles import Request
from conversations.round_table.names import GRAPH_NAME, INITIATOR, PAYLOAD_KEY, SUMMARIZER
from conversations.round_table.results import TableGoal, TableSummary
from conversations.round_table.table import Table, spoken_so_far, sub_questions
from conversations.turns.handler import PreparedRun


def table_fields(prepared: PreparedRun | None, request: Request | None) -> dict[str, Any]:
    """Return the field of the answer that a round table gives: goal, rounds, summary; none for other turns.

    Words quoted from documents are left out; they are read again with the reader's permissions.
    """
    if prepared is None or prepared.graph.name != GRAPH_NAME or request is None:
        return {}
    table: Table = prepared.request.facts
    goal, summary = request.results.get(INITIATOR), request.results.get(SUMMARIZER)
    return {
        PAYLOAD_KEY: {
            "goal": goal.model_dump(mode="json") if isinstance(goal, TableGoal) else None,
            "summary": summary.model_dump(mode="json") if isinstance(summary, TableSummary) else None,
            "agents": [seat.name for seat in table.seats],
            "lead": table.lead,
            "sub_questions": [
                {"round": number, "agent": each.to, "text": each.text}
                for number in range(1, table.rounds + 1)
                for each in sub_questions(request, number)
            ],
            "remarks": [{"round": each.round, "text": each.text} for each in table.remarks],
            "contributions": [
                {"agent": each.agent, "text": each.text} | each.contribution.model_dump(mode="json")
                for each in spoken_so_far(table, request)
            ],
            "store": [each.model_dump(mode="json") for each in table.store.entries()],
        }
    }
