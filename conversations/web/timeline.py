"""Timeline of a turn: when each agent worked, what it used and sent, how it ended, and what its model calls took."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils.translation import gettext as _

from agents.models import ModelCall
from conversations.speakers import agent_label
from conversations.tools.labels import tool_label

Wire = Mapping[str, Any]

WIDTH: Final = 1000
"""Of the drawing, for the whole turn."""
THINNEST: Final = 4
"""Of a bar, so that an agent that took no time can be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineBar:
    """A span in the drawing."""

    x: float
    width: float
    label: str


@dataclass(slots=True, kw_only=True)
class TimelineRow:
    """What one agent did."""

    agent: str
    label: str
    starts_ms: int
    ends_ms: int = 0
    ending: str = ""
    bar: TimelineBar | None = None
    tools: list[TimelineBar] = field(default_factory=list)
    messages: list[TimelineBar] = field(default_factory=list)
    """Messages to the other agents."""
    tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    rows: Sequence[TimelineRow]
    total_ms: int


def timeline_of(events: Iterable[Wire], calls: Iterable[ModelCall] = ()) -> Timeline | None:
    """Return the timeline of a turn's latest run; None if fewer than two agents worked. `calls`: its model calls.

    Calls count for the first part of an agent that worked twice.
    """
    run = _latest_run(events)
    started = [each for each in run if each["type"] == "agent_started"]
    if len({each["agent"] for each in started}) < 2:
        return None
    begins = _time(started[0])
    total = max(1, *(_ms(each, begins) for each in run if "agent" in each or "sender" in each))
    rows = _rows(run, begins)
    for row in rows:
        row.bar = _bar(row.starts_ms, row.ends_ms, total, row.label)
        row.tools = [_bar(int(each.x), int(each.x + each.width), total, each.label) for each in row.tools]
        row.messages = [_bar(int(each.x), int(each.x), total, each.label) for each in row.messages]
    _add_calls(rows, [each for each in calls if each.started_at >= begins])
    return Timeline(rows=rows, total_ms=total)


def _latest_run(events: Iterable[Wire]) -> list[Wire]:
    run: list[Wire] = []
    for body in events:
        run = [] if body["type"] == "turn_resumed" else [*run, body]
    return run


def _rows(run: Sequence[Wire], begins: datetime) -> list[TimelineRow]:
    """Return the agents in the order in which they started, with their spans in milliseconds."""
    rows: list[TimelineRow] = []
    latest: dict[str, TimelineRow] = {}
    for body in run:
        at = _ms(body, begins)
        match body["type"]:
            case "agent_started":
                name = body["agent"]
                latest[name] = TimelineRow(agent=name, label=agent_label(name), starts_ms=at, ends_ms=at)
                rows.append(latest[name])
            case "agent_finished" | "agent_failed" if row := latest.get(body["agent"]):
                row.ends_ms, row.ending = max(at, row.starts_ms), _ending(body)
            case "tool_returned" if row := latest.get(body["agent"]):
                took = round(body["ms"])
                row.tools.append(TimelineBar(x=max(0, at - took), width=took, label=tool_label(body["tool"])))
            case "message_sent" if row := latest.get(body["sender"]):
                row.messages.append(TimelineBar(x=at, width=0, label=str(body["payload"].get("event", ""))))
    return rows


def _ending(body: Wire) -> str:
    if body["type"] == "agent_finished":
        return _("done")
    return _("took too long") if body["error_type"] == "timeout" else _("failed")


def _add_calls(rows: Sequence[TimelineRow], calls: Iterable[ModelCall]) -> None:
    by_agent = {row.agent: row for row in reversed(rows)}
    for call in calls:
        if (row := by_agent.get(call.agent)) is None:
            continue
        if call.input_tokens is not None and call.output_tokens is not None:
            row.tokens = (row.tokens or 0) + call.input_tokens + call.output_tokens
        if call.cost_usd is not None:
            row.cost_usd = (row.cost_usd or 0.0) + call.cost_usd


def _bar(start: int, end: int, total: int, label: str) -> TimelineBar:
    width = max(THINNEST, WIDTH * (end - start) / total)
    return TimelineBar(x=round(min(WIDTH - width, WIDTH * start / total), 1), width=round(width, 1), label=label)


def _time(body: Wire) -> datetime:
    return datetime.fromisoformat(body["at"])


def _ms(body: Wire, begins: datetime) -> int:
    return max(0, round((_time(body) - begins) / timedelta(milliseconds=1)))
