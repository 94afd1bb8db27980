"""K1: what a running server leaves on the disk of keys, cookies and passwords is nothing, and of people only their rows."""

import asyncio
import json
from pathlib import Path

import httpx2
import websockets

from bench.live_server import server as serving

PATIENCE_S = 60
PASSWORD, COOKIE, KEY = "CANARYPASSWORD1", "CANARYCOOKIE", "sk-ant-CANARYKEY0123"
NAME, MAIL, WORDS = "CANARYCHILD", "CANARY.mail@example.org", "CANARYWORDS what is a half?"
NAMED = f"""
from learnagent.accounts.models import Person
Person.objects.update(display_name={NAME!r}, email={MAIL!r})
"""


async def visit(address, token):
    """Ask for pages and calls, right and wrong, with all that must not be kept; send a message over a socket."""
    bearer = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(base_url=f"http://{address}", timeout=PATIENCE_S) as client:
        client.cookies.set("sessionid", COOKIE)
        typed = {"username": MAIL, "password": PASSWORD}
        await client.post("/accounts/sign-in/", data=typed)
        await client.get(f"/accounts/link/{COOKIE}/?token={token}")
        await client.get("/v2/sessions", headers=bearer | {"X-Api-Key": KEY})
        await client.post("/v2/conversation", json={"text": 1, WORDS: NAME}, headers=bearer)
        await client.post("/v2/search", json={"query": WORDS}, headers=bearer)
        await client.post("/v2/conversation", content=bytes(2_000_000), headers=bearer | {"X-Api-Key": KEY})
    async with websockets.connect(f"ws://{address}/ws/s?token={token}", proxy=None) as wire:
        await wire.send(json.dumps({"type": "text", "text": f"{WORDS} {NAME} {MAIL}"}))
        async with asyncio.timeout(PATIENCE_S):
            await wire.recv()


def places_of(planted, folder):
    """Return the files that have it."""
    return {path.name for path in Path(folder).rglob("*") if path.is_file() and planted.encode() in path.read_bytes()}


def test_nothing_that_signs_in_is_on_the_disk_and_no_person_in_the_log(empty_database):
    with serving.prepared_place(people=1, settings="learnagent.settings", empty=empty_database) as place:
        serving.run_in_place(place, NAMED)
        [token], log = place.tokens, Path(place.folder) / "log"
        options = {"LOG_FILE": str(log), "LOG_LEVEL": "DEBUG", "LOG_FORMAT": "json"}
        with serving.served(place, by="daphne", **options) as server:
            asyncio.run(visit(server.address, token))
            server.process.terminate()
            server.process.wait(PATIENCE_S)
        written = log.read_text()
        assert "socket_closed" in written
        assert "request_refused" in written
        for planted in (token, PASSWORD, COOKIE, KEY):
            assert places_of(planted, place.folder) == set(), planted
        database = {"learnagent.sqlite3", "learnagent.sqlite3-wal"}
        for planted in (NAME, MAIL, WORDS):
            assert places_of(planted, place.folder) <= database, planted
        assert places_of(NAME, place.folder)
