"""The story of a reply: a turn's events in plain sentences for learners, and in full for admins."""

import json
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from agents.models import AgentCall, ModelCall
from conversations.models import Event, Turn
from conversations.panel.research import concept_query
from conversations.panel.shared_state import AgentState, agent_states
from conversations.search.passage_quotes import compared_things
from conversations.speakers import agent_label
from conversations.tools.labels import tool_label
from conversations.turns.handler import turn_handler
from conversations.web.findings_panel import QUOTED_KINDS
from conversations.web.side_agent_usage import SideAgentLook, looks_at
from conversations.web.timeline import Timeline, timeline_of

Wire = Mapping[str, Any]

STORY_EVENTS = (
    "queued", "turn_resumed", "classified", "message_sent", "routed", "handed_off", "agent_started", "agent_finished", "agent_failed",
    "tool_called", "tool_returned", "finding", "card",
)  # fmt: skip
"""Event types used for a story: not what agents say to each other or store."""
EVENTS_SHOWN = 400
"""Maximum number of events of a turn shown to an admin, first ones first; a long reply has many pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryStep:
    """One thing that happened, in words for anybody."""

    at: datetime
    agent: str
    """The agent that took the step, which sets the color on the page; may be empty."""
    text: str
    took_ms: int | None = None
    quote: str = ""
    """The learner's own words that the step is based on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminDetails:
    """Everything stored about a turn, for an admin."""

    events: Sequence[Mapping[str, Any]]
    """`{seq, type, json}`"""
    agents: Sequence[AgentCall]
    states: Sequence[AgentState]
    """How these agents have done in the whole conversation."""
    calls: Sequence[ModelCall]
    rules: str
    """The accepted request and the end of the turn, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    turn: Turn
    steps: Sequence[StoryStep]
    timeline: Timeline | None = None
    listened: Sequence[SideAgentLook] = ()
    """What the side agents did in the turn."""
    behind: AdminDetails | None = None


def stories(turns: Sequence[Turn], *, whole: bool) -> list[Story]:
    """Return the story of each turn's reply, `whole` for an admin; a fixed number of queries."""
    rows = Event.objects.filter(turn__in=turns).order_by("turn", "seq")
    if not whole:
        rows = rows.filter(type__in=STORY_EVENTS)
    events: dict[uuid.UUID, list[Wire]] = {turn.pk: [] for turn in turns}
    for turn_id, body in rows.values_list("turn_id", "body"):
        events[turn_id].append(body)
    listened = looks_at(turns)
    told = [Story(turn=turn, steps=steps_of(events[turn.pk]), listened=listened[turn.pk]) for turn in turns]
    if whole:
        return _with_admin_details(told, events)
    return [replace(each, timeline=timeline_of(events[each.turn.pk])) for each in told]


def steps_of(events: Iterable[Wire]) -> list[StoryStep]:
    """Return a turn's events as steps, in order; for a turn that ran again, those of its latest run."""
    steps: list[StoryStep] = []
    announced: dict[str, str] = {}
    """Concept → the agent that announced it."""
    own_lookups: set[str] = set()
    """What is looked up for the question itself, whatever is announced."""
    for body in events:
        if body["type"] == "turn_resumed":
            steps = []
        elif body["type"] == "message_sent":
            announced |= {each: str(body["sender"]) for each in _announced(body)}
        if not own_lookups and (query := _query_of(body)):
            own_lookups = {query, *map(concept_query, compared_things(query) or ())}
        if text := _lookup_sentence(body, announced, own_lookups) or _sentence(body):
            steps.append(_step(body, text))
    return steps


def _step(body: Wire, text: str) -> StoryStep:
    is_quoted = body["type"] == "finding" and body["kind"] in QUOTED_KINDS
    took = body.get("ms") if body["type"] in ("agent_finished", "agent_failed", "tool_returned") else None
    return StoryStep(
        at=timezone.localtime(datetime.fromisoformat(body["at"])),
        agent=str(body.get("agent", body.get("sender", body.get("to", "")))),
        text=text,
        took_ms=None if took is None else max(1, round(took)),
        quote=str(body.get("evidence", "")) if is_quoted else "",
    )


def _sentence(body: Wire) -> str:
    """Return the sentence a learner reads for an event; empty if none."""
    match body["type"]:
        case "queued":
            return _("The site was busy, so your message had to wait.")
        case "turn_resumed":
            return _("The answer was interrupted and then started over.")
        case "classified":
            agents = ", ".join(agent_label(each) for each in body["agents"])
            return _("%(reason)s The message went to: %(agents)s.") % {"reason": body["reason"], "agents": agents}
        case "message_sent" if concepts := _announced(body):
            words = _("%(agent)s told the others what the message is about: %(concepts)s.")
            return words % {"agent": agent_label(body["sender"]), "concepts": ", ".join(concepts)}
        case "routed":
            words = _("The coordinator sent you to %(to)s: %(reason)s")
            return words % {"to": agent_label(body["to"]), "reason": body["reason"]}
        case "handed_off":
            words = _("%(from)s handed off to %(to)s: %(reason)s")
            labels = {"from": agent_label(body["from"]), "to": agent_label(body["to"])}
            return words % (labels | {"reason": body["reason"]})
        case "agent_finished" | "agent_failed" | "tool_returned":
            return _work_sentence(body, agent_label(body["agent"]))
        case "finding":
            return str(body["words"])
        case "card":
            return _card_sentence(body["kind"])
    return ""


def _work_sentence(body: Wire, label: str) -> str:
    """Return what became of an agent's work, or of a tool it used."""
    match body["type"]:
        case "agent_finished":
            decided = turn_handler().decided(body.get("result") or {})
            return f"{label}. {decided}" if decided else _("%(agent)s finished.") % {"agent": label}
        case "agent_failed":
            return _("%(agent)s did not answer this time.") % {"agent": label}
        case _:
            # Without the result, which may contain an answer.
            said = _("%(agent)s used %(tool)s.") if body["ok"] else _("%(agent)s tried %(tool)s.")
            return said % {"agent": label, "tool": tool_label(body["tool"])}


def _query_of(body: Wire) -> str:
    """Return what a tool is asked to look up; empty for any other event."""
    return str(body["args"].get("query", "")) if body["type"] == "tool_called" else ""


def _lookup_sentence(body: Wire, announced: Mapping[str, str], own_lookups: Collection[str]) -> str:
    """Return the sentence for a lookup of the panel that follows an announced concept; empty for any other event."""
    query = _query_of(body)
    concept = next((each for each in announced if query == concept_query(each)), None)
    if concept is None or query in own_lookups:
        return ""
    return _("%(agent)s also looked up “%(concept)s” because %(sender)s had mentioned it.") % {
        "agent": agent_label(body["agent"]),
        "concept": concept,
        "sender": agent_label(announced[concept]),
    }


def _announced(body: Wire) -> list[str]:
    """Return the concepts that a message to the other agents announces."""
    data = body["payload"].get("data", {}) if not body["dropped"] else {}
    return [str(each) for each in data.get("concepts", ())]


def _card_sentence(kind: str) -> str:
    match kind:
        case "question":
            return _("A question card was shown.")
        case "picture":
            return _("A picture was shown.")
        case "sources":
            return _("The sources were shown.")
    return _("Suggestions for what to do next were shown.")


def _with_admin_details(told: Sequence[Story], events: Mapping[uuid.UUID, Sequence[Wire]]) -> list[Story]:
    ids = [story.turn.pk for story in told]
    agents = list(AgentCall.objects.filter(run__turn_id__in=ids).select_related("run").order_by("run", "number"))
    calls = list(ModelCall.objects.filter(turn_id__in=ids).order_by("pk"))
    states = agent_states(told[0].turn.session, {row.agent for row in agents}) if told else {}
    return [
        replace(
            story,
            timeline=timeline_of(events[story.turn.pk], [row for row in calls if row.turn_id == story.turn.pk]),
            behind=AdminDetails(
                events=[_raw(body) for body in events[story.turn.pk][:EVENTS_SHOWN]],
                agents=(own := [row for row in agents if row.run.turn_id == story.turn.pk]),
                states=[states[each] for each in dict.fromkeys(row.agent for row in own)],
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
