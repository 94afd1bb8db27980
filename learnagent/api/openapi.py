"""The HTTP calls described as OpenAPI 3.1: what Ninja knows of them, with events, refusals and their headers."""

from functools import cache
from typing import Any

from agents.engine.event_schemas import event_schemas, name_of
from agents.engine.events import Card
from conversations.cards import card_contents
from learnagent.api.ninja_api import api

REF = "#/components/schemas/{model}"
STATUS_MEANINGS = {
    400: "The request could not be read: it is not JSON, not a form, or not an object.",
    401: "Nobody is signed in: the token is missing or not valid.",
    403: "A browser session was used without `X-CSRFToken`, or from another origin. Cannot happen with a token.",
    404: "This does not exist, or it is not yours.",
    405: "This address does not accept this method; `Allow` lists the methods it accepts.",
    409: "`turn_in_progress`: this conversation's last message is still being answered; send this one after that. "
    "`conflict`: the `client_id` was used for another message.",
    413: "Too large: a text of more than 10,000 characters, or a file of more than 10 MB.",
    415: "The content type of the body is not accepted here.",
    422: "Some fields are invalid; `error.fields` says which. Unknown fields are rejected too.",
    429: "`rate_limited`: too much at once, or too much per minute. `budget`: today's budget is used up.",
    500: "Something went wrong on the server. Its log lists the error under `error.ref`.",
    501: "This way of talking with the team is turned off.",
    503: "The server can’t do this right now. Nothing was stored unless it says so.",
}
HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "The scheme `Bearer`."}},
    409: {
        "Retry-After": {
            "schema": {"type": "integer"},
            "description": "Only with `turn_in_progress`: seconds to wait before you try again.",
        }
    },
    429: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before you try again."}},
    503: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before you try again."}},
}
LINKS = {
    "turn": ("turn", "turn_id"),
    "events": ("events", "turn_id"),
    "turns": ("turns", "session_id"),
}
"""Follow-up calls: link → the call, and the field of the response that has its id."""
EVENT_STREAMS = ("/api/chat/multi", "/api/chat", "/chat/stream")
"""Calls whose answer comes piece by piece."""


@cache
def build_openapi() -> dict[str, Any]:
    """Return the description."""
    described: dict[str, Any] = dict(api.get_openapi_schema(path_prefix="/"))
    schemas = described["components"]["schemas"]
    schemas |= event_schemas(REF, cards=card_contents())
    schemas["ShownCard"]["allOf"] = schemas[name_of(Card)]["allOf"]
    schemas["TurnEvents"]["properties"]["events"]["items"] = {"$ref": REF.format(model="Event")}
    taken = described["paths"]["/v2/attachments"]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    taken["properties"]["file"]["minLength"] = 1
    taken["additionalProperties"] = False
    described["paths"]["/v2/conversation"]["post"]["responses"][200]["links"] = {
        name: {"operationId": call, "parameters": {field: f"$response.body#/{field}"}}
        for name, (call, field) in LINKS.items()
    }
    for path in EVENT_STREAMS:
        response = described["paths"][path]["post"]["responses"][200]
        # Of an event stream, the schema describes an event as it is sent; what its data holds is JSON in a string.
        event = response["content"]["application/json"]["schema"]
        data = {"type": "string", "contentMediaType": "application/json", "contentSchema": event}
        sent = {"type": "object", "required": ["data"], "properties": {"data": data}}
        response["content"] = {"text/event-stream": {"schema": sent}}
        response["description"] = "A stream: each event is a line `data: {…}`, followed by an empty line."
    _describe_responses(described["paths"])
    return described


def _describe_responses(paths: dict[str, Any]) -> None:
    for methods in paths.values():
        for call in methods.values():
            for status, response in call["responses"].items():
                if status in STATUS_MEANINGS:
                    response |= {"description": STATUS_MEANINGS[status], "headers": HEADERS.get(status, {})}
