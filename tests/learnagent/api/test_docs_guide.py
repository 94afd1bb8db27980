"""The guide on `/v2/docs`: each of its examples is run."""

import asyncio
import json
import os
import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient

from conversations.models import Session
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.api import docs_pages
from learnagent.api.openapi import build_openapi
from tests.api_schemas import frame_schema_errors, schema_errors
from tests.learnagent.api.live_server import served

pytestmark = pytest.mark.django_db(transaction=True)

GUIDE = (settings.BASE_DIR / "docs" / "reference" / "api.md").read_text()
MADE = {
    "/v2/conversation": "Answer", "/v2/attachments": "Attachment", "/v2/search": "SearchResults",
    "/api/conversation": "ExchangeAnswer", "/api/conversation/smart": "SmartAnswer", "/api/search": "ExchangeHits",
    "/api/session/thursday/history": "History", "/api/stats": "Stats", "/chat": "ChatAnswer",
    "/session/homework": "SessionCheckpoint",
}  # fmt: skip


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def curls() -> list[list[str]]:
    """Return each curl of the guide as its words."""
    lines = "\n".join(blocks("sh")).replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines if line.startswith("curl")]


def request_of(words: list[str], **known: str) -> dict[str, object]:
    """Return what a curl would send."""
    for name, value in known.items():
        words = [word.replace(f"${name}", value) for word in words]
    url = next(word for word in words if word.startswith("http"))
    options = {flag: value for flag, value in pairwise(words) if flag in ("-d", "-F")}
    headers = dict(value.split(": ", 1) for flag, value in pairwise(words) if flag == "-H")
    return {"path": url.removeprefix("http://127.0.0.1:8000"), "headers": headers, **options}


async def sent(request: dict[str, object]):
    client, headers, path = AsyncClient(), request["headers"], request["path"]
    if "-d" in request:
        kind = headers.pop("Content-Type")
        return await client.post(path, data=request["-d"], content_type=kind, headers=headers)
    if "-F" in request:
        name, file = str(request["-F"]).split("=@")
        form = {name: SimpleUploadedFile(file, b"# Halves\n\nTwo equal parts.")}
        return await client.post(path, data=form, headers=headers)
    return await client.get(path, headers=headers)


async def test_every_call_of_the_guide_is_answered_as_described(ada, supervisor):
    token, turn = await sync_to_async(make_token)(ada), ""
    paths = []
    for words in curls():
        request = request_of(words, TOKEN=token, TURN=turn)
        response = await sent(request)
        assert response.status_code in (200, 201), request["path"]
        path = str(request["path"]).split("?")[0]
        if response["Content-Type"] == "text/event-stream":
            lines = b"".join([piece async for piece in response]).decode().split("\n\n")[:-1]
            events = [json.loads(line.removeprefix("data: ")) for line in lines]
            assert [fault for each in events for fault in schema_errors(each, "TableEvent")] == []
            paths.append(path)
            continue
        answer = response.json()
        if path in MADE:
            assert schema_errors(answer, MADE[path]) == []
        if path == "/v2/conversation":
            turn = answer["turn_id"]
        paths.append(path)
    assert {*MADE, "/v2/sessions", "/api/chat/multi", f"/v2/turns/{turn}/events"} <= {*paths}


@pytest.mark.parametrize(
    ("number", "path", "channel"), [(0, "/v2/ws/tuesday", "session"), (1, "/ws/thursday", "v1")], ids=["v2", "v1"]
)
async def test_frames_of_the_guide_bring_the_events_it_shows(ada, connect, number, path, channel):
    dialogue = [block for block in blocks("text") if "→" in block][number]
    socket_ = await connect(ada, path)
    for line in dialogue.strip().splitlines():
        mark, frame = line[0], json.loads(line[1:])
        if mark == "→":
            await socket_.send(frame)
            continue
        (came,) = (await socket_.until(frame["type"]))[-1:]
        assert frame_schema_errors(came, channel=channel) == []
        assert frame.keys() <= came.keys()


def test_bodies_of_the_guide_are_as_described():
    answer, exchange, refusal = [json.loads(block) for block in blocks("json")]
    assert schema_errors(refusal, "ErrorBody") == []
    assert schema_errors(exchange, "ExchangeAnswer") == []
    described = {
        fault.split(":")[0] for fault in schema_errors(answer, "Answer") if "is a required property" not in fault
    }
    assert described == set()


async def test_client_of_the_guide_holds_a_conversation(ada, supervisor, tmp_path: Path):
    (program,) = blocks("python")
    (tmp_path / "client.py").write_text(program)
    async with served() as port:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(tmp_path / "client.py"),
            "wednesday 100%/½ #?",
            "What is a half?",
            env=os.environ | {"TOKEN": await sync_to_async(make_token)(ada), "SERVER": f"ws://127.0.0.1:{port}"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, err.decode()) == (0, "")
    assert out.decode() == "One half.\n[done]\n"
    assert (await Session.objects.aget()).key == "wednesday 100%/½ #?"


def test_page_names_this_servers_own_address(client, settings):
    settings.PUBLIC_URL = "https://learn.example:8443"
    docs_pages._docs_html.cache_clear()
    page = client.get("/v2/docs").content.decode()
    docs_pages._docs_html.cache_clear()
    assert "127.0.0.1:8000" not in page
    assert "https://learn.example:8443/v2/search" in page
    assert "wss://learn.example:8443/v2/ws/" in page


def test_page_has_the_guide_and_every_call_event_and_field(client):
    page = client.get("/v2/docs").content.decode()
    for part in (
        "A complete client",
        "POST /v2/conversation",
        "turn_finished",
        "retry_after_s",
        "question_kind",
        "4429",
    ):
        assert part in page
    links = {link[1:] for link in re.findall(r'href="(#[^"]+)"', page)} - {"main"}
    assert links <= set(re.findall(r'id="([^"]+)"', page))
    assert "<script" not in page.split("<main")[1].split("</main>")[0]


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("/v2/conversation", "ConverseRequest"),
        ("/v2/search", "SearchRequest"),
        ("/api/conversation", "AskRequest"),
        ("/api/conversation/smart", "AskRequest"),
        ("/api/search", "ExchangeSearchRequest"),
    ],
)
async def test_examples_of_the_description_are_answered(ada, supervisor, path, schema):
    fields = build_openapi()["components"]["schemas"][schema]["properties"]
    example = {name: field["examples"][0] for name, field in fields.items() if "examples" in field}
    token = await sync_to_async(make_token)(ada)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    response = await sent({"path": path, "-d": json.dumps(example), "headers": headers})
    assert response.status_code == 200
    assert schema_errors(response.json(), MADE[path]) == []
