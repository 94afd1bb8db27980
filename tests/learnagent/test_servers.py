"""The same promises through the real servers, Daphne and uvicorn."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
import websockets

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60
"""When a server that should answer is given up."""
PREPARED = """
from django.core.management import call_command
from learnagent.accounts.demo import make_demo_people
from learnagent.accounts.models import Person
from learnagent.accounts.tokens import make_token
call_command("migrate", verbosity=0)
make_demo_people()
print(make_token(Person.objects.get(username="ben")))
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(server, port):
    if server == "daphne":
        return [sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(port), "learnagent.asgi:application"]
    return [sys.executable, "-m", "uvicorn", "learnagent.asgi:application", "--port", str(port), "--log-level", "error"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A data folder with people in it, and a token of Ben's."""
    environment = os.environ | {"LEARNAGENT_DATA": str(tmp_path_factory.mktemp("data")), "DATABASE_URL": ""}
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", PREPARED],
        cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return environment, made.stdout.split()[-1]


@pytest.fixture(params=["daphne", "uvicorn"])
def served(request, place):
    environment, token = place
    port = free_port()
    process = subprocess.Popen(
        command(request.param, port), cwd=ROOT, env=environment | {"LEARNAGENT_PORT": str(port)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    yield process, f"127.0.0.1:{port}", token
    process.kill()
    process.wait()


async def healthy(address):
    """Ask until the server answers; give its answer."""
    async with asyncio.timeout(PATIENCE_S), httpx2.AsyncClient() as client:
        while True:
            try:
                return (await client.get(f"http://{address}/health")).json()
            except httpx2.TransportError:
                await asyncio.sleep(0.05)


async def frames_until(wire, kind):
    frames = []
    async with asyncio.timeout(PATIENCE_S):
        while not frames or frames[-1]["type"] != kind:
            frames.append(json.loads(await wire.recv()))
    return frames


async def test_a_message_a_wrong_frame_and_the_end(served):
    process, address, token = served
    assert (await healthy(address))["status"] == "healthy"
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
    async with httpx2.AsyncClient(headers=headers) as client:
        listed = (await client.get(f"http://{address}/v2/sessions")).json()
        said = await client.post(f"http://{address}/v2/conversation", json={"text": "hello"}, timeout=PATIENCE_S)
    assert [each["title"] for each in listed if each["session_id"] == "s"] == ["🥧"]
    assert (said.status_code, said.json()["status"]) == (200, "done")
    process.send_signal(signal.SIGTERM)
    assert await asyncio.to_thread(process.wait, PATIENCE_S) in (0, -signal.SIGTERM)
