"""Prepares the run of a round table: its graph, its roles and its request, without what was done before a restart."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _
from pydantic import BaseModel

from agents.conf import agent_settings
from agents.engine.graph import Choice, Graph, Round, Step, parallel, sequence
from agents.engine.roles import ChatMessage, Request, Role
from agents.runtime.speaker_selection import may_ask_model
from conversations.models import Turn
from conversations.round_table import initiator, summary
from conversations.round_table.names import GRAPH_NAME, INITIATOR, PAYLOAD_KEY, SUMMARIZER, role_name
from conversations.round_table.record import TableRecord, earlier_record, stored_record
from conversations.round_table.roster import seats_for
from conversations.round_table.shared_store import SharedStore
from conversations.round_table.table import Table, open_tables
from conversations.round_table.voices import collaborator_role
from conversations.round_table.wording import plain_content
from conversations.turns.handler import PreparedRun

RESERVE_S: Final = 60.0
RESERVE_SHARE: Final = 0.2
"""Of the turn's time, what is kept for the summary: as much as it may take, but never most of a short turn."""


def is_round_table(turn: Turn) -> bool:
    """Tell whether a turn is a round table. No queries."""
    return PAYLOAD_KEY in turn.payload


def prepare_table(
    turn: Turn, text: str, *, guard: Callable[[str], str], history: tuple[ChatMessage, ...] = ()
) -> PreparedRun:
    """Return the run of a round table; of one that was interrupted, the part that is missing.

    `history` are the messages of its own conversation; those that a client sent along come before them.
    """
    asked: Mapping[str, Any] = turn.payload[PAYLOAD_KEY]
    record = earlier_record(turn)
    first_round = record.round + 1
    if turn.attempt > 1:
        record = stored_record(turn.pk, turn.owner, before=record)
    table = _table(turn, text, asked, record, guard, first_round=first_round)
    graph, roles = _graph(table, record)
    earlier = tuple(
        ChatMessage(author="learner" if each["role"] == "user" else "team", text=each["content"])
        for each in asked.get("messages", ())
    )
    results, texts, failed = _done_before(table, record)
    request = Request(
        text=text,
        history=(*earlier, *history),
        facts=table,
        state=turn.session.state,
        results=results,
        texts=texts,
        failed=failed,
    )
    reason = _("A round table was requested.") if not table.reasons else " ".join(table.reasons)
    return PreparedRun(graph=graph, request=request, choice=Choice(to=SUMMARIZER, reason=reason), roles=roles)


def _table(
    turn: Turn,
    text: str,
    asked: Mapping[str, Any],
    record: TableRecord,
    guard: Callable[[str], str],
    *,
    first_round: int,
) -> Table:
    table = Table(
        turn_id=turn.pk,
        question=text,
        seats=seats_for(asked["agents"]),
        rounds=asked["rounds"],
        first_round=first_round,
        strategy=asked["failure_strategy"],
        has_model=may_ask_model(turn.owner, "fast"),
        guard=guard,
        reasons=tuple(asked.get("reasons", ())),
        store=SharedStore(record.entries),
    )
    for each in record.spoken:
        table.said.claim_all(plain_content(each), agent=each.agent, round_number=each.round)
    open_tables[turn.pk] = table
    return table


def _graph(table: Table, record: TableRecord) -> tuple[Graph, dict[str, Role]]:
    """Return the graph of what is still to be done, and its roles. Rounds that have ended are left out."""
    roles: dict[str, Role] = {INITIATOR: initiator.ROLE, SUMMARIZER: summary.ROLE}
    steps: list[Step] = [] if record.goal is not None else [INITIATOR]
    limit_s = agent_settings().turn_timeout_s
    places = {seat.name: place for place, seat in enumerate(table.seats)}
    over = {(each.round, each.agent) for each in record.spoken} | {(each.round, each.agent) for each in record.silences}
    for number in range(1, table.rounds + 1):
        if number in record.rounds_ended or (record.is_aborted and number > record.round):
            continue
        left = [role_name(number, place) for name, place in places.items() if (number, name) not in over]
        roles |= {role_name(number, place): collaborator_role(table, place, number) for place in places.values()}
        steps.append(
            Round(
                number=number,
                step=parallel(*left),
                agents=tuple(places),
                is_needed=partial(summary.is_round_needed, table, number),
                reserve_s=min(RESERVE_S, limit_s * RESERVE_SHARE),
            )
        )
    return Graph(name=GRAPH_NAME, root=sequence(*steps, SUMMARIZER)), roles


def _done_before(
    table: Table, record: TableRecord
) -> tuple[dict[str, BaseModel | None], dict[str, str], dict[str, Any]]:
    """Return results, texts and failures by role, from the record of an interrupted run."""
    places = {seat.name: place for place, seat in enumerate(table.seats)}
    results: dict[str, BaseModel | None] = {INITIATOR: record.goal} if record.goal is not None else {}
    texts: dict[str, str] = {}
    for each in record.spoken:
        if each.agent in places:
            name = role_name(each.round, places[each.agent])
            results[name], texts[name] = each.contribution, each.text
    failed = {
        role_name(each.round, places[each.agent]): each.error_type for each in record.silences if each.agent in places
    }
    return results, texts, failed
