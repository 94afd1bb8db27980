"""The sockets described as AsyncAPI 3, from the classes of its frames and events."""

from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from pydantic import BaseModel

from agents.engine.event_schemas import event_classes, event_schemas, name_of
from agents.sockets.frames import ErrorFrame, Ping, Pong, Refetch, Resume, Say, Seen, Stop
from conversations import validators
from conversations.cards import card_contents
from conversations.library import attached_documents
from conversations.v1.frames import End, PlainErrorFrame, Response, SayAudio, SayText, Summary

Schema = dict[str, Any]

REF = "#/components/schemas/{model}"
CLIENT_FRAMES = (Say, Stop, Resume, Seen, Ping)
SERVER_FRAMES = (Pong, Refetch, ErrorFrame)
V1_CLIENT_FRAMES = (SayText, SayAudio, End, Ping)
V1_SERVER_FRAMES = (Response, Summary, Pong, PlainErrorFrame)
CLOSE_CODES = {
    4400: "The address is invalid.",
    4401: "You are no longer signed in.",
    4404: "There is no such socket, or the conversation was deleted.",
    4413: "A frame was longer than 160,000 characters, or, with a recording on `/ws/`, than 1,048,576.",
    4429: "You have too many open sockets, or sent too many frames at once.",
}
"""The reasons for which the server closes a socket, each after an `error` frame."""


@cache
def _security_schemes() -> dict[str, Any]:
    return {
        "Token": {"type": "http", "scheme": "bearer", "description": "An API token."},
        "Cookie": {
            "type": "httpApiKey",
            "name": settings.SESSION_COOKIE_NAME,
            "in": "cookie",
            "description": "A browser session, only from a page on this server.",
        },
        "QueryToken": {
            "type": "httpApiKey",
            "name": "token",
            "in": "query",
            "description": "An API token in the address, on `/ws/` only, for scripts that cannot send headers.",
        },
    }


def build_asyncapi() -> dict[str, Any]:
    """Return the description."""
    own, events = _names(CLIENT_FRAMES), [name_of(kind) for kind in event_classes()]
    told = [*events, *_names(SERVER_FRAMES)]
    v1_own, v1_told = _names(V1_CLIENT_FRAMES), _names(V1_SERVER_FRAMES)
    schemas = _schemas()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "learnagent",
            "version": "2",
            "description": "A conversation over a socket: frames in, events out. To get started, see `/v2/docs`.",
            "externalDocs": {"url": f"{settings.PUBLIC_URL}/v2/docs"},
        },
        "defaultContentType": "application/json",
        "servers": {"here": _server()},
        "channels": {
            "session": _channel("/v2/ws/{session_id}", "One conversation.", [*own, *told]),
            "v1": _channel(
                "/ws/{session_id}",
                "One conversation with one agent.",
                [*v1_own, *(each for each in v1_told if each not in v1_own)],
            ),
        },
        "operations": {
            "takeFrames": _operation("session", "receive", own, "What a client can send."),
            "tell": _operation(
                "session", "send", told, "What a client receives: the events of its turns, and replies to its frames."
            ),
            "takeV1Frames": _operation("v1", "receive", v1_own, "What a client of v1 can send."),
            "tellV1": _operation("v1", "send", v1_told, "What a client of v1 receives."),
        },
        "components": {
            "messages": {name: _message(name, schemas[name]) for name in [*own, *told, *v1_own, *v1_told]},
            "schemas": schemas,
            "securitySchemes": _security_schemes(),
        },
    }


def _names(frames: Sequence[type[BaseModel]]) -> list[str]:
    return [each.__name__ for each in frames]


def _server() -> Schema:
    parts = urlsplit(settings.PUBLIC_URL)
    ways = [{"$ref": f"#/components/securitySchemes/{name}"} for name in ("Token", "Cookie", "QueryToken")]
    return {"host": parts.netloc, "protocol": "wss" if parts.scheme == "https" else "ws", "security": ways}


def _channel(address: str, summary: str, names: list[str]) -> Schema:
    return {
        "address": address,
        "description": f"{summary} Every frame is a JSON object. The server closes with one of these codes:\n\n"
        + "\n".join(f"- {code}: {reason}" for code, reason in CLOSE_CODES.items()),
        "parameters": {
            "session_id": {
                "description": "As in `POST /v2/conversation`; a new conversation begins with its first message."
            }
        },
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
    }


def _operation(channel: str, action: str, names: list[str], summary: str) -> Schema:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "summary": summary,
        "messages": [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in names],
    }


def _message(name: str, schema: Schema) -> Schema:
    return {
        "name": schema["properties"]["type"]["const"],
        "title": name,
        "summary": schema.get("description", ""),
        "payload": {"$ref": REF.format(model=name)},
    }


def _schemas() -> dict[str, Schema]:
    schemas = event_schemas(REF, cards=card_contents())
    for frame in (*CLIENT_FRAMES, *SERVER_FRAMES, *V1_CLIENT_FRAMES, *V1_SERVER_FRAMES):
        schemas |= _schemas_of(frame)
    schemas["SayText"]["properties"]["text"] |= validators.TEXT_SCHEMA
    said = schemas["Say"]["properties"]
    said["text"] |= validators.TEXT_SCHEMA
    said["attachments"] |= attached_documents.IDS_SCHEMA
    said["client_id"]["anyOf"] = [{"type": "string"} | validators.CLIENT_ID_SCHEMA, {"type": "null"}]
    return schemas


def _schemas_of(model: type[BaseModel]) -> dict[str, Schema]:
    schema = model.model_json_schema(ref_template=REF)
    return {**schema.pop("$defs", {}), model.__name__: schema}
