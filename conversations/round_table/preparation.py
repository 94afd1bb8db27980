"""Prepares the run of a round table: its graph, its roles and its request, without what was done before a restart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _
from pydantic import BaseModel

from agents.conf import agent_settings
from agents.engine.bus import Bus
from agents.engine.graph import Call, Choice, Graph, Round, Step, parallel, sequence
from agents.engine.roles import ChatMessage, Request, Role
from agents.runtime.speaker_selection import may_ask_model
from agents.tools import ToolUse
from conversations.models import TAKEN_BY_SUMMARY, Turn
from conversations.round_table import initiator, lead, summary
from conversations.round_table.lookups import LIBRARY
from conversations.round_table.names import (
    GRAPH_NAME,
    INITIATOR,
    LEAD_KEY,
    PAYLOAD_KEY,
    SUMMARIZER,
    opening_role,
    role_name,
)
from conversations.round_table.record import TableRecord, earlier_record, stored_record, tables_before
from conversations.round_table.remarks import take_up, taken_remarks
from conversations.round_table.roster import Seat, seats_for
from conversations.round_table.shared_store import SharedStore
from conversations.round_table.table import Table, open_tables
from conversations.round_table.voices import collaborator_role, first_queries
from conversations.round_table.wording import plain_content
from conversations.turns.handler import PreparedRun, StoppedRun

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
    graph, roles = _graph(table, record, turn.owner_id)
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
    return PreparedRun(
        graph=graph,
        request=request,
        choice=Choice(to=SUMMARIZER, reason=reason),
        roles=roles,
        when_stopped=partial(_when_stopped, turn, table, request),
    )


def _when_stopped(turn: Turn, table: Table, request: Request) -> StoppedRun | None:
    """Return the summary, by rule, of what was said before the learner stopped the table; None if nobody had spoken."""
    record = stored_record(turn.pk, turn.owner, before=earlier_record(turn))
    if not record.spoken:
        return None
    results, texts, failed = _done_before(table, record)
    stopped = replace(request, facts=replace(table, is_stopped=True), results=results, texts=texts, failed=failed)
    result, events = summary.without_model(stopped)
    return StoppedRun(request=replace(stopped, results={**results, SUMMARIZER: result}), events=events)


def _table(
    turn: Turn,
    text: str,
    asked: Mapping[str, Any],
    record: TableRecord,
    guard: Callable[[str], str],
    *,
    first_round: int,
) -> Table:
    seats = seats_for(asked["agents"])
    table = Table(
        turn_id=turn.pk,
        turns=(*(each.pk for each in tables_before(turn)), turn.pk),
        question=text,
        seats=seats,
        lead=_lead_of(asked, seats),
        rounds=asked["rounds"],
        first_round=first_round,
        strategy=asked["failure_strategy"],
        has_model=may_ask_model(turn.owner, "fast"),
        guard=guard,
        reasons=tuple(asked.get("reasons", ())),
        store=SharedStore(record.entries),
    )
    table.remarks.extend(taken_remarks(table.turns))
    for each in record.spoken:
        table.said.claim_all(plain_content(each), agent=each.agent, round_number=each.round)
    open_tables[turn.pk] = table
    return table


def _lead_of(asked: Mapping[str, Any], seats: Sequence[Seat]) -> str:
    """Return the lead that was asked for; empty if there is none, or nobody left to lead."""
    named = asked.get(LEAD_KEY, "")
    return named if len(seats) > 1 and any(seat.name == named for seat in seats) else ""


def _graph(table: Table, record: TableRecord, person_id: int) -> tuple[Graph, dict[str, Role]]:
    """Return the graph of what is still to be done, and its roles. Rounds that have ended are left out."""
    roles: dict[str, Role] = {INITIATOR: initiator.ROLE, SUMMARIZER: summary.ROLE}
    # Each collaborator finds its first passages there when the initiator has spoken.
    steps: list[Step] = (
        [] if record.goal is not None else [parallel(INITIATOR, Call(partial(_prepare_seats, table, person_id)))]
    )
    limit_s = agent_settings().turn_timeout_s
    places = {seat.name: place for place, seat in enumerate(table.seats)}
    over = {(each.round, each.agent) for each in record.spoken} | {(each.round, each.agent) for each in record.silences}
    for number in range(1, table.rounds + 1):
        if number in record.rounds_ended or (record.is_aborted and number > record.round):
            continue
        left = [
            role_name(number, place)
            for name, place in places.items()
            if (number, name) not in over and name != table.lead
        ]
        roles |= {role_name(number, place): collaborator_role(table, place, number) for place in places.values()}
        roles |= {role.name: role for role in (lead.lead_roles(table, number) if table.lead else ())}
        opens, closes = _led(table, number, record, is_over=(number, table.lead) in over)
        steps.append(Call(partial(take_up, table, number)))
        steps.append(
            Round(
                number=number,
                step=parallel(*left),
                opens=opens,
                closes=closes,
                agents=tuple(places),
                is_needed=partial(summary.is_round_needed, table, number),
                reserve_s=min(RESERVE_S, limit_s * RESERVE_SHARE),
            )
        )
    steps.append(Call(partial(take_up, table, TAKEN_BY_SUMMARY)))
    return Graph(name=GRAPH_NAME, root=sequence(*steps, SUMMARIZER)), roles


def _led(table: Table, number: int, record: TableRecord, *, is_over: bool) -> tuple[Step | None, Step | None]:
    """Return how the lead opens and closes a round; None for what was done before a restart, and without a lead."""
    if not table.lead or is_over:
        return None, None
    place = next(place for place, seat in enumerate(table.seats) if seat.name == table.lead)
    opens = sequence(opening_role(number), Call(partial(lead.hand_out, table, number)))
    return (None if number in record.handed else opens), role_name(number, place)


async def _prepare_seats(table: Table, person_id: int, request: Request, bus: Bus) -> None:
    """Begin to search for what the collaborators will search for first. The rounds do not wait for it: whoever wants it does."""
    use = ToolUse(turn_id=table.turn_id, person_id=person_id, agent=INITIATOR, number=1, tool=LIBRARY)
    for query in dict.fromkeys(first_queries(table, request, lead.likely_parts(table, request))):
        table.lookups.begin(query, use)


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
    results |= {opening_role(number): handed for number, handed in record.handed.items()}
    failed = {
        role_name(each.round, places[each.agent]): each.error_type for each in record.silences if each.agent in places
    }
    return results, texts, failed
