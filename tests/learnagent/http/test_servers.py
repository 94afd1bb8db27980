"""The same promises through the real servers, Daphne as `serve` starts it and uvicorn."""

import asyncio
import json
import signal
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
import websockets

from bench.live_server import server as serving
from bench.live_server.team_script import PIECE, PIECES, TORRENT
from learnagent.configuration.data_folder import is_open_to_others

LOGS = {f"{name}.log" for name in serving.SERVERS}
"""Written by whoever starts the servers."""
PATIENCE_S = 60
"""When a server that should answer is given up."""


@pytest.fixture(scope="module")
def place(empty_database):
    """A data folder of the product's, with one person for what it is, and one for each server that is simulated."""
    people = 1 + len(serving.SERVERS)
    with serving.prepared_place(people=people, settings="learnagent.settings", empty=empty_database) as made:
        yield made


@pytest.fixture(params=serving.SERVERS)
def served(request, place):
    with serving.served(place, by=request.param) as running:
        yield running.process, running.address, place.tokens[0]


@pytest.fixture(scope="module", params=serving.SERVERS)
def simulated(request, place):
    """A server whose team says a torrent of words when asked for one."""
    with serving.served(replace(place, settings="bench.live_server.settings"), by=request.param) as running:
        yield request.param, running, place.tokens[1 + serving.SERVERS.index(request.param)]


@asynccontextmanager
async def opened(address, token, path="/v2/ws/s", **options):
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(
        f"ws://{address}{path}", additional_headers=headers, proxy=None, compression=None, ping_interval=None, **options
    ) as wire:
        yield wire


async def say(wire, text):
    await wire.send(json.dumps({"type": "message", "text": text}))


async def asked(address, token, path):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as client:
        return (await client.get(f"http://{address}{path}", timeout=PATIENCE_S)).json()


async def frames_until(wire, kind):
    frames = []
    async with asyncio.timeout(PATIENCE_S):
        while not frames or frames[-1]["type"] != kind:
            frames.append(json.loads(await wire.recv()))
    return frames


async def refuses_large_bodies_unread(address):
    """B9: by what a request says of its body, of which nothing has been sent yet."""
    heads = [
        ("/v2/conversation", "Content-Length: 99999999", 413),
        ("/v2/conversation", "Transfer-Encoding: chunked", 413),
        *[("/accounts/sign-in/", "Content-Length: 10000000\r\nExpect: 100-continue", 413)] * 60,
        ("/library/", "Content-Length: 10000000", 401),
        ("/library/", "Content-Length: 10000000\r\nCookie: sessionid=nobody", 401),
        ("/v2/attachments", "Content-Length: 10000000\r\nAuthorization: Bearer nobody", 401),
    ]
    assert await asyncio.gather(*(refusal_of(address, *head[:2]) for head in heads)) == [each[2] for each in heads]


async def refusal_of(address, path, says):
    """Send a head, and what fits into the same packet of a body; return the status of the answer that ends it."""
    reader, writer = await asyncio.open_connection(*address.split(":"))
    writer.write(f"POST {path} HTTP/1.1\r\nHost: {address}\r\n{says}\r\n\r\n".encode() + bytes(1000))
    async with asyncio.timeout(PATIENCE_S):
        status = int((await reader.readline()).split()[1])
        assert b"error" in await reader.read()
    writer.close()
    return status


async def takes_large_files_of_its_people(address, token):
    text = ("Half of a half is a quarter. " * 10_000).encode()
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as client:
        files = {"file": ("notes.txt", text)}
        taken = await client.post(f"http://{address}/v2/attachments", files=files, timeout=PATIENCE_S)
    assert (taken.status_code, taken.json()["size"]) == (201, len(text))


def open_to_others(folder):
    return [path for path in folder.rglob("*") if is_open_to_others(path) and path.name not in LOGS]


async def test_a_message_a_wrong_frame_and_the_end(served, place):
    process, address, token = served
    assert (await asked(address, token, "/health"))["checks"]["database"] == "ok"
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(f"ws://{address}/v2/ws/s", additional_headers=headers, proxy=None) as wire:
        await wire.send("no json")
        assert (await frames_until(wire, "error"))[-1]["error"]["code"] == "invalid_input"
        await wire.send(json.dumps({"type": "message", "text": "🥧"}))
        events = await frames_until(wire, "turn_finished")
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(f"ws://{address}/v2/ws/s", origin="http://evil.example", proxy=None)
    assert refused.value.response.status_code == 403  # W1
    async with websockets.connect(
        f"ws://{address}/v2/ws/s", additional_headers={"Authorization": "Bearer nobody"}, proxy=None
    ) as wire:
        await frames_until(wire, "error")
        await wire.wait_closed()
    assert wire.close_code == 4401
    await refuses_large_bodies_unread(address)
    await takes_large_files_of_its_people(address, token)
    async with httpx2.AsyncClient(headers=headers) as client:
        listed = (await client.get(f"http://{address}/v2/sessions")).json()
        said = await client.post(f"http://{address}/v2/conversation", json={"text": "hello"}, timeout=PATIENCE_S)
    assert [each["title"] for each in listed if each["session_id"] == "s"] == ["🥧"]
    assert (said.status_code, said.json()["status"]) == (200, "done")
    assert open_to_others(Path(place.folder)) == []
    process.send_signal(signal.SIGTERM)
    assert await asyncio.to_thread(process.wait, PATIENCE_S) in (0, -signal.SIGTERM)


async def ended(address, token, turns):
    """Wait until so many of the person's turns have ended."""
    async with asyncio.timeout(PATIENCE_S):
        while await statuses(address, token) != ["done"] * turns:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def statuses(address, token):
    """How the person's turns stand; none before the first message has been taken in and made the session."""
    return [turn["status"] for turn in (await asked(address, token, "/v2/sessions/s/turns")).get("turns", ())]


async def read_to_the_end(wire, *, turns):
    """Read turns as a client that never says what it has seen; return each one's events, and how often it fetched."""
    read, refetches = {}, 0
    async with asyncio.timeout(PATIENCE_S):
        while sum(events[-1:] != [] and events[-1]["type"] == "turn_finished" for events in read.values()) < turns:
            frame = json.loads(await wire.recv())
            events = read.setdefault(frame["turn_id"], [])
            if frame["type"] == "refetch":
                refetches += 1
                assert frame["after"] == len(events)
                await wire.send(json.dumps(frame | {"type": "resume"}))
            else:
                events.append(frame)
    return list(read.values()), refetches


def small_socket(address):
    """Connect by a socket for which the system holds little that nobody reads."""
    host, _, port = address.partition(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((host, int(port)))
    return connection


async def read_to_the_close(wire):
    frames = []
    with suppress(websockets.ConnectionClosed):
        while True:
            frames.append(json.loads(await wire.recv()))
    return frames


async def test_who_does_not_read_is_told_to_fetch_again_and_misses_nothing(simulated):
    """G12: with 256 KB unread one `refetch`, once there is room. What it costs in memory `bench slow_reader` measures."""
    by, running, token = simulated
    async with opened(running.address, token, max_queue=1, sock=small_socket(running.address)) as wire:
        for turns in (1, 2):
            await say(wire, TORRENT)
            await ended(running.address, token, turns)
        turns, refetches = await read_to_the_end(wire, turns=2)
    for events in turns:
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        said = "".join(event["text"] for event in events if event["type"] == "reply_text")
        assert said == events[-1]["reply"] == PIECE * PIECES
    # Where `send` waits for the client the feed waits with it.
    assert refetches > 0 if by == "daphne" else refetches == 0


@pytest.mark.parametrize(
    ("frame", "code"),
    [("x" * (1 << 20), 4413), (bytes(1 << 20), 4413), ('{"type":"ping"}', 4429)],
    ids=["text", "bytes", "pings"],
)
async def test_flood_is_shown_out(simulated, frame, code):
    """G13: closed, without the frames piling up in the server."""
    _by, running, token = simulated
    before = running.memory_mb()
    async with opened(running.address, token) as wire:

        async def flood():
            with suppress(websockets.ConnectionClosed):
                while True:
                    await wire.send(frame)
                    # So that what comes back is read too.
                    await asyncio.sleep(0)

        flooding = asyncio.create_task(flood())
        async with asyncio.timeout(PATIENCE_S):
            frames = await read_to_the_close(wire)
        await flooding
    assert wire.close_code == code
    assert frames[-1]["type"] == "error"
    assert running.memory_mb() - before < 10
    assert (await asked(running.address, token, "/health"))["checks"]["database"] == "ok"


async def test_form_is_taken_apart_by_the_application_alone(simulated):
    """B9: one that is none is answered in our words, as Twisted would not; whole ones it would hold three times."""
    _by, running, token = simulated
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data"}
    async with httpx2.AsyncClient(headers=headers) as client:
        answer = await client.post(f"http://{running.address}/v2/attachments", content=b"no form", timeout=PATIENCE_S)
    assert answer.json()["error"]["message"]
