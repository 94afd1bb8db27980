"""How a reply came about: a turn's events as a story, in plain sentences for learners, whole for admins."""

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from agents.models import AgentCall, ModelCall
from conversations.models import Event, Turn
from conversations.speakers import agent_label
from conversations.turns.handler import turn_handler
from conversations.web.findings_panel import QUOTED_KINDS
from conversations.web.side_agent_usage import SideAgentLook, looks_at
from conversations.web.tool_labels import tool_label

Wire = Mapping[str, Any]

STORY_EVENTS = (
    "queued", "turn_resumed", "routed", "handed_off", "agent_started", "agent_finished", "agent_failed",
    "tool_called", "tool_returned", "finding", "card",
)  # fmt: skip
"""Types of events that a story is told from: never what agents say to one another, nor what they keep."""
EVENTS_SHOWN = 400
"""Events of a turn that an admin is shown, the first ones; a long reply has many pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryStep:
    """One thing that happened, for anybody to read."""

    at: datetime
    agent: str
    """Who did it, as the page colours it; empty for nobody in particular."""
    text: str
    took_ms: int | None = None
    quote: str = ""
    """The learner's own words that it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminDetails:
    """Everything that is stored of a turn, for an admin."""

    events: Sequence[Mapping[str, Any]]
    """`{seq, type, json}`"""
    agents: Sequence[AgentCall]
    calls: Sequence[ModelCall]
    rules: str
    """What the turn was accepted with, and how it ended, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    turn: Turn
    steps: Sequence[StoryStep]
    listened: Sequence[SideAgentLook] = ()
    """Who looked at the turn beside its answer."""
    behind: AdminDetails | None = None


def stories(turns: Sequence[Turn], *, whole: bool) -> list[Story]:
    """Return how the reply to each turn came about, `whole` for an admin; as many queries for a page as for one."""
    rows = Event.objects.filter(turn__in=turns).order_by("turn", "seq")
    if not whole:
        rows = rows.filter(type__in=STORY_EVENTS)
    events: dict[uuid.UUID, list[Wire]] = {turn.pk: [] for turn in turns}
    for turn_id, body in rows.values_list("turn_id", "body"):
        events[turn_id].append(body)
    listened = looks_at(turns)
    told = [Story(turn=turn, steps=steps_of(events[turn.pk]), listened=listened[turn.pk]) for turn in turns]
    return _with_admin_details(told, events) if whole else told


def steps_of(events: Iterable[Wire]) -> list[StoryStep]:
    """Return a turn's events as steps, in order; of a turn that ran again, those of its latest run."""
    steps: list[StoryStep] = []
    for body in events:
        if body["type"] == "turn_resumed":
            steps = []
        if text := _sentence(body):
            steps.append(_step(body, text))
    return steps


def _step(body: Wire, text: str) -> StoryStep:
    is_quoted = body["type"] == "finding" and body["kind"] in QUOTED_KINDS
    took = body.get("ms") if body["type"] in ("agent_finished", "agent_failed", "tool_returned") else None
    return StoryStep(
        at=timezone.localtime(datetime.fromisoformat(body["at"])),
        agent=str(body.get("agent", body.get("to", ""))),
        text=text,
        took_ms=None if took is None else max(1, round(took)),
        quote=str(body.get("evidence", "")) if is_quoted else "",
    )


def _sentence(body: Wire) -> str:
    """Return what an event tells a learner; empty where that is nothing."""
    match body["type"]:
        case "queued":
            return _("Many were learning at once, and your message waited in line.")
        case "turn_resumed":
            return _("The answer was begun anew, because the process that had begun it ended.")
        case "routed":
            return _("The coordinator passed you to %(to)s: %(reason)s") % {
                "to": agent_label(body["to"]),
                "reason": body["reason"],
            }
        case "handed_off":
            return _("%(from)s passed you on to %(to)s: %(reason)s") % {
                "from": agent_label(body["from"]),
                "to": agent_label(body["to"]),
                "reason": body["reason"],
            }
        case "agent_finished":
            decided = turn_handler().decided(body.get("result") or {})
            return f"{agent_label(body['agent'])}. {decided}".strip()
        case "agent_failed":
            return _("%(agent)s gave no answer this time.") % {"agent": agent_label(body["agent"])}
        case "tool_returned":
            # Not what it found: that may hold an answer.
            said = _("%(agent)s used %(tool)s.") if body["ok"] else _("%(agent)s tried %(tool)s.")
            return said % {"agent": agent_label(body["agent"]), "tool": tool_label(body["tool"])}
        case "finding":
            return str(body["words"])
        case "card":
            return _card_sentence(body["kind"])
    return ""


def _card_sentence(kind: str) -> str:
    match kind:
        case "question":
            return _("A question was put on a card.")
        case "picture":
            return _("A picture was shown.")
        case "sources":
            return _("The places it rests on were shown.")
    return _("Something to go on with was shown.")


def _with_admin_details(told: Sequence[Story], events: Mapping[uuid.UUID, Sequence[Wire]]) -> list[Story]:
    ids = [story.turn.pk for story in told]
    agents = list(AgentCall.objects.filter(run__turn_id__in=ids).select_related("run").order_by("run", "number"))
    calls = list(ModelCall.objects.filter(turn_id__in=ids).order_by("pk"))
    return [
        replace(
            story,
            behind=AdminDetails(
                events=[_raw(body) for body in events[story.turn.pk][:EVENTS_SHOWN]],
                agents=[row for row in agents if row.run.turn_id == story.turn.pk],
                calls=[row for row in calls if row.turn_id == story.turn.pk],
                rules=_json({"payload": story.turn.payload, "answer": story.turn.answer}),
            ),
        )
        for story in told
    ]


def _raw(body: Wire) -> dict[str, Any]:
    return {"seq": body["seq"], "type": body["type"], "json": _json(body)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
