"""What the API tells of itself: for programs, and complete."""

import json
import re
from typing import Any

import pytest
from django.conf import settings

from agents.engine.event_schemas import event_classes
from agents.engine.events import Event
from learnagent.api.asyncapi import build_asyncapi
from learnagent.api.openapi import build_openapi
from learnagent.urls import urlpatterns

READ = {200, 400, 401, 404, 413, 422, 429, 500, 503}
WRITE = READ | {403, 409, 415, 501}


def calls() -> dict[str, dict[str, Any]]:
    paths = json.loads(json.dumps(build_openapi()))["paths"]
    return {f"{method} {path}": call for path, methods in paths.items() for method, call in methods.items()}


def refs_in(described: Any) -> set[str]:
    return set(re.findall(r'"\$ref": "(#[^"]+)"', json.dumps(described)))


def found(described: dict[str, Any], ref: str) -> Any:
    place: Any = described
    for step in ref.removeprefix("#/").split("/"):
        place = place[step]
    return place


def test_every_call_is_described() -> None:
    assert calls().keys() == {
        "post /v2/conversation", "post /v2/attachments", "post /v2/search", "get /v2/sessions",
        "get /v2/sessions/{session_id}/turns", "get /v2/turns/{turn_id}", "get /v2/turns/{turn_id}/events",
        "get /v2/agents", "get /v2/insights",
        "post /api/conversation", "post /api/conversation/smart", "post /api/search",
        "get /api/session/{session_id}/history", "get /api/stats",
        "post /api/chat/multi", "post /api/chat/multi/{table}/say", "post /api/chat", "get /api/chat/agents",
        "post /chat", "post /chat/stream", "get /session/{session_id}", "delete /session/{session_id}", "get /config",
    }  # fmt: skip


def expected_statuses(name: str) -> set[int]:
    """The companion cannot be turned off; a deletion has no body to refuse, but a cookie needs its CSRF token."""
    if name.startswith("delete"):
        return READ | {403}
    if name in ("post /chat", "post /chat/stream"):
        return WRITE - {501}
    return WRITE if name.startswith("post") else READ


@pytest.mark.parametrize("name", calls())
def test_every_status_has_its_schema(name: str) -> None:
    call = calls()[name]
    responses = {int(status): each for status, each in call["responses"].items()}
    assert responses.keys() - {201, 202} | {200} == expected_statuses(name)
    for status, each in responses.items():
        is_stream = status == 200 and name in ("post /api/chat/multi", "post /api/chat", "post /chat/stream")
        schema = each["content"]["text/event-stream" if is_stream else "application/json"]["schema"]
        if is_stream:
            # An event as it is sent: its data is the JSON of the named schema, in a string.
            data = schema["properties"]["data"]
            assert (data["type"], data["contentMediaType"]) == ("string", "application/json")
            schema = data["contentSchema"]
        assert "$ref" in schema or "$ref" in schema["items"]
        assert (schema.get("$ref") == "#/components/schemas/ErrorBody") == (status >= 400)
        assert each["description"]
    assert "Retry-After" in responses[429]["headers"]
    assert "WWW-Authenticate" in responses[401]["headers"]


@pytest.mark.parametrize("name", calls())
def test_every_call_names_who_may_make_it(name: str) -> None:
    assert calls()[name]["security"] == [{"Token": []}, {"Cookie": []}]
    schemes = build_openapi()["components"]["securitySchemes"]
    assert schemes["Token"].items() >= {"type": "http", "scheme": "bearer"}.items()
    assert schemes["Cookie"].items() >= {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}.items()


def test_every_answers_fields_are_always_there() -> None:
    schemas = build_openapi()["components"]["schemas"]
    for name in (
        "Answer",
        "Metadata",
        "TurnState",
        "TurnList",
        "SearchResults",
        "QueuedTurn",
        "ExchangeAnswer",
        "SmartAnswer",
        "Stats",
        "History",
    ):
        assert schemas[name]["required"] == list(schemas[name]["properties"])


def test_message_is_described_alike_for_http_and_the_socket() -> None:
    said = build_openapi()["components"]["schemas"]["ConverseRequest"]["properties"]
    frame = build_asyncapi()["components"]["schemas"]["Say"]["properties"]
    unlike = {"title", "description", "examples", "default"}
    for name in ("text", "attachments", "client_id"):
        assert {key: value for key, value in said[name].items() if key not in unlike} == {
            key: value for key, value in frame[name].items() if key not in unlike
        }


def test_text_that_is_refused_does_not_fit_its_schema() -> None:
    properties = build_openapi()["components"]["schemas"]["ConverseRequest"]["properties"]
    pattern = re.compile(properties["text"]["pattern"])
    assert pattern.search("x y\n")
    assert not any(pattern.search(text) for text in ("", " \n", "a\x00b", "\u3000", "\x1c"))
    step = re.compile(properties["session_id"]["anyOf"][0]["not"]["pattern"])
    assert all(step.search(key) for key in ("..", "x/../y", "./a", "a/."))
    assert not any(step.search(key) for key in ("a", "a/b", "a..b", "...", ".a"))


@pytest.mark.parametrize("describe", [build_openapi, build_asyncapi])
def test_every_reference_leads_somewhere(describe: Any) -> None:
    described = describe()
    assert refs_in(described)
    for ref in refs_in(described):
        assert found(described, ref)


def test_server_is_this_place() -> None:
    assert build_openapi()["servers"] == [{"url": settings.PUBLIC_URL}]
    server = build_asyncapi()["servers"]["here"]
    assert f"{server['protocol']}://{server['host']}" == settings.PUBLIC_URL.replace("http", "ws", 1)


def test_socket_is_described_with_every_frame_and_event() -> None:
    described = build_asyncapi()
    assert described["asyncapi"] == "3.0.0"
    assert described["channels"]["session"]["address"] == "/v2/ws/{session_id}"
    told, taken = ({each["name"] for each in messages(described, name)} for name in ("tell", "takeFrames"))
    assert told == {kind.type for kind in event_classes()} | {"pong", "refetch", "error"}
    assert taken == {"message", "stop", "resume", "seen", "ping"}


def test_v1_socket_is_described_with_every_frame() -> None:
    described = build_asyncapi()
    assert described["channels"]["v1"]["address"] == "/ws/{session_id}"
    told, taken = ({each["name"] for each in messages(described, name)} for name in ("tellV1", "takeV1Frames"))
    assert (told, taken) == ({"response", "summary", "pong", "error"}, {"text", "audio", "end", "ping"})


def messages(described: dict[str, Any], operation: str) -> list[Any]:
    named = (found(described, each["$ref"]) for each in described["operations"][operation]["messages"])
    return [found(described, each["$ref"]) for each in named]


def test_every_class_of_event_is_found() -> None:
    assert Event not in event_classes()
    assert {"TurnStarted", "Card", "TurnFinished"} <= {kind.__name__ for kind in event_classes()}


def test_page_is_read_without_the_outside(client: Any) -> None:
    page = client.get("/v2/docs").content.decode()
    assert set(re.findall(r'(?:src|href)="(\w+:[^"]*)"', page)) == set()
    assert {str(each.pattern) for each in urlpatterns} >= {"v2/docs", "v2/openapi.json", "v2/asyncapi.json"}
