"""Events: their fields on the wire are promised to every surface."""

import json
from dataclasses import fields
from typing import Any

import pytest

from agents.engine import events
from agents.engine.event_schemas import event_schemas, name_of
from agents.engine.events import Card, Event, FindingMade, HandedOff, Routed

PROMISED = {
    "turn_started": {"session_id", "client_id"},
    "queued": {"position"},
    "turn_resumed": {"attempt"},
    "classified": {"workflow", "classification", "agents", "reason"},
    "routed": {"from", "to", "strategy", "confidence", "reason"},
    "round_started": {"round", "agents"},
    "round_finished": {"round"},
    "agent_started": {"agent"},
    "agent_text": {"agent", "text"},
    "message_sent": {
        "message_id",
        "sender",
        "recipient",
        "message_type",
        "payload",
        "parent_id",
        "priority",
        "dropped",
    },
    "tool_called": {"agent", "tool", "args"},
    "tool_returned": {"agent", "tool", "ok", "summary", "ms"},
    "agent_finished": {"agent", "ms", "result"},
    "agent_failed": {
        "agent",
        "error_type",
        "message",
        "recoverable",
        "fallback_available",
        "strategy",
        "ms",
    },
    "handed_off": {"from", "to", "reason"},
    "finding": {"agent", "kind", "confidence", "evidence"},
    "card": {"kind", "id"},
    "state_changed": {"key", "value"},
    "reply_text": {"text"},
    "turn_finished": {"reply", "status", "metadata"},
}
MAY_HAVE_MORE = {"finding", "turn_started"}
KINDS = [
    kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
]


def example(kind: type[Event]) -> Event:
    mappings = {"content", "result", "metadata"}
    given: dict[str, Any] = {each.name: {} if each.name in mappings else "x" for each in fields(kind)}
    return kind(**given)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_wire_form_has_exactly_the_promised_fields(kind: type[Event]) -> None:
    wire = example(kind).as_wire()
    extra = wire.keys() - {"type"} - PROMISED[kind.type]
    assert wire.keys() >= PROMISED[kind.type] | {"type"}
    assert not extra or kind.type in MAY_HAVE_MORE
    assert (next(iter(wire)), wire["type"]) == ("type", kind.type)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_wire_form_is_json(kind: type[Event]) -> None:
    wire = example(kind).as_wire()
    assert json.loads(json.dumps(wire)) == wire


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_schema_names_exactly_the_fields_on_the_wire(kind: type[Event]) -> None:
    schema = event_schemas("#/{model}", cards={})[name_of(kind)]
    added = {"seq", "turn_id", "at"} | ({"text"} if kind is Card else set())
    assert schema["properties"].keys() - added - kind.optional == example(kind).as_wire().keys() - kind.optional
    optional = kind.optional | ({"text"} if kind is Card else set())
    assert schema["required"] == [name for name in schema["properties"] if name not in optional]
    assert schema["properties"]["type"]["const"] == kind.type


def test_no_two_events_share_a_type() -> None:
    assert len({kind.type for kind in KINDS}) == len(KINDS)


def test_where_a_turn_came_from_is_called_from() -> None:
    routed = Routed(from_agent="coordinator", to="tutor", strategy="rule", confidence=None, reason="a lesson is open")
    handed = HandedOff(from_agent="tutor", to="quiz", reason="ready")
    assert (routed.as_wire()["from"], handed.as_wire()["from"]) == ("coordinator", "tutor")


def test_cards_own_fields_stand_beside_its_kind() -> None:
    card = Card(kind="picture", id="1", content={"alt": "half a pie"})
    assert card.as_wire() == {"type": "card", "kind": "picture", "id": "1", "alt": "half a pie"}


@pytest.mark.parametrize("name", ["seq", "turn_id", "at", "type", "kind", "id", "text"])
def test_card_cannot_hide_what_frames_it(name: str) -> None:
    with pytest.raises(ValueError, match=f"may not be named {name}"):
        Card(kind="picture", id="1", content={name: "other"})


def test_finding_is_open_until_it_is_resolved() -> None:
    finding = FindingMade(agent="a", kind="misconception", name="n", words="w", confidence=0.8, evidence="e")
    assert finding.as_wire()["resolved"] is False
