"""JSON Schemas of the events sent to clients, generated from the event classes."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter

from agents.engine import events
from agents.engine.events import Card, Event

Schema = dict[str, Any]

STAMP: Mapping[str, Schema] = {
    "seq": {"type": "integer", "minimum": 1, "description": "Counts from 1 in a turn, without gaps."},
    "turn_id": {"type": "string", "format": "uuid"},
    "at": {"type": "string", "format": "date-time", "description": "When it was reported, in UTC."},
}
WIRE_NAMES = {"from_agent": "from"}
"""Names that are Python keywords."""
CARD_TEXT = {
    "type": "string",
    "description": "The card in words, as Markdown; empty if there is nothing to say or if you are not allowed to read it.",
}


def event_classes() -> list[type[Event]]:
    """Return every event class, in the order they are defined."""
    found = [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Event)]
    return [each for each in found if each is not Event]


def event_schemas(ref: str, *, cards: Mapping[str, type[BaseModel]]) -> dict[str, Schema]:
    """Return name → schema for each event, for each kind of card's content, and for `Event`, the union of all events.

    `ref` is the template of a reference, such as "#/components/schemas/{model}".
    """
    schemas = {
        name_of(kind): _as_wired(kind, TypeAdapter(kind).json_schema(ref_template=ref)) for kind in event_classes()
    }
    for content in cards.values():
        schema = content.model_json_schema(ref_template=ref)
        schemas |= schema.pop("$defs", {}) | {content.__name__: schema}
    schemas[name_of(Card)]["allOf"] = [
        {"if": {"properties": {"kind": {"const": kind}}}, "then": {"$ref": ref.format(model=content.__name__)}}
        for kind, content in cards.items()
    ]
    refs = {kind.type: ref.format(model=name_of(kind)) for kind in event_classes()}
    schemas["Event"] = {
        "title": "Event",
        "description": "One event of a turn. New types may be added: ignore those you do not know.",
        "oneOf": [{"$ref": each} for each in refs.values()],
        "discriminator": {"propertyName": "type", "mapping": refs},
    }
    return schemas


def name_of(kind: type[Event]) -> str:
    """Return an event's name among the schemas: its wire name."""
    return f"{kind.type.title().replace('_', '')}Event"


def _as_wired(kind: type[Event], schema: Schema) -> Schema:
    own = {WIRE_NAMES.get(name, name): each for name, each in schema["properties"].items()}
    if kind is Card:
        # The card's content has its own schema, next to its kind.
        own = {name: each for name, each in own.items() if name != "content"} | {"text": CARD_TEXT}
    optional = kind.optional | ({"text"} if kind is Card else set())
    return {
        "title": name_of(kind),
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": {"type": {"const": kind.type, "type": "string"}, **STAMP, **own},
        "required": ["type", *STAMP, *(name for name in own if name not in optional)],
    }
