"""Traces and the log of real processes: a turn that one process begins and another ends is one trace."""

import asyncio
import hashlib
import json
import uuid
from pathlib import Path

import websockets

from bench.live_server import server as serving
from tests.collector import Collector

PATIENCE_S = 60
QUICK = {"OTEL_BSP_SCHEDULE_DELAY": "50"}


async def say(address, token):
    """Send a message; return the turn's id, which is acknowledged before the server dies."""
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(f"ws://{address}/v2/ws/s", additional_headers=headers, proxy=None) as wire:
        await wire.send(json.dumps({"type": "message", "text": "What is a half?"}))
        async with asyncio.timeout(PATIENCE_S):
            return json.loads(await wire.recv())["turn_id"]


def test_turn_of_a_server_that_died_is_ended_by_another_in_the_same_trace(empty_database):
    """F7"""
    with (
        Collector() as collector,
        serving.prepared_place(people=1, empty=empty_database) as place,
    ):
        traced = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **QUICK}
        with serving.served(place, by="daphne", **traced) as first:
            turn_id = asyncio.run(say(first.address, place.tokens[0]))
            [message] = collector.wait_for("socket message")
        with serving.served(place, by="daphne", LOG_FORMAT="json", **traced):
            [turn] = collector.wait_for("turn")
            collector.wait_for("agent tutor")
        log = (Path(place.folder) / "daphne.log").read_text()
    assert turn.attributes["learnagent.turn.id"] == message.attributes["learnagent.turn.id"] == turn_id
    assert turn.trace_id == hashlib.sha256(uuid.UUID(turn_id).bytes).hexdigest()[:32]
    assert turn.attributes["learnagent.turn.attempt"] == 2
    assert turn.process != message.process
    [agent] = collector.named("agent tutor")
    assert (agent.trace_id, agent.parent_id, agent.process) == (turn.trace_id, turn.span_id, turn.process)
    [taken] = [json.loads(line) for line in log.splitlines() if "lease_taken_over" in line]
    assert (taken["turn_id"], taken["process"]) == (turn_id, turn.process)
