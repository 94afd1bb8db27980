"""JSON Schemas of the events as they go over the wire, made from the event classes."""

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
"""Names that Python keeps for itself."""
CARD_TEXT = {
    "type": "string",
    "description": "The card in words, as Markdown; empty where there is nothing to say, or where you may not read it.",
}


def event_classes() -> list[type[Event]]:
    """Return every class of event, in the order in which the code has them."""
    found = [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Event)]
    return [each for each in found if each is not Event]


def event_schemas(ref: str, *, cards: Mapping[str, type[BaseModel]]) -> dict[str, Schema]:
    """Return name → schema for each event, for what cards of each kind hold, and for `Event`, which is any event.

    `ref` is where they will stand, as "#/components/schemas/{model}".
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
        "description": "One event of a turn. Types may be added: pass over those you do not know.",
        "oneOf": [{"$ref": each} for each in refs.values()],
        "discriminator": {"propertyName": "type", "mapping": refs},
    }
    return schemas


def name_of(kind: type[Event]) -> str:
    """Return what an event is called among other schemas: as on the wire."""
    return f"{kind.type.title().replace('_', '')}Event"


def _as_wired(kind: type[Event], schema: Schema) -> Schema:
    own = {WIRE_NAMES.get(name, name): each for name, each in schema["properties"].items()}
    if kind is Card:
        # Its content stands beside its kind.
        own = {name: each for name, each in own.items() if name != "content"} | {"text": CARD_TEXT}
    optional = kind.optional | ({"text"} if kind is Card else set())
    return {
        "title": name_of(kind),
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": {"type": {"const": kind.type, "type": "string"}, **STAMP, **own},
        "required": ["type", *STAMP, *(name for name in own if name not in optional)],
    }
