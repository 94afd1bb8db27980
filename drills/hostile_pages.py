"""Drill: every hostile address and page (S1 to S9): refused or contained, and the server neither grows nor stalls."""

import asyncio
import gzip
from collections.abc import Iterator

from agents.tools import ToolFailed, ToolUse
from agents.tools.fetch_page import PageRequest, fetch_page
from drills.data_folder import PreparedFolder
from drills.process_watch import watched_while
from drills.result import DrillResult
from tests.agents.net.test_client import HOSTILE
from tests.fake_services import Answering, FakeServer, Reply, World, html, redirect

WITHIN_S = 10.0
HTML = {"content-type": "text/html"}
READ = "read"


def pages(server: FakeServer) -> dict[str, Answering]:
    """Return what a page may be made to do, by its name."""
    crumbs = b"".join(b"1\r\nx\r\n" for _ in range(300_000))
    return {
        "S2 redirect inside": redirect("http://127.0.0.1/"),
        "S2 redirect for ever": redirect("?again"),
        "S5 10 MB": lambda _: Reply(body=(b"x" * 65_536 for _ in range(160)), headers=HTML),
        "S5 crumbs": Reply(body=[crumbs], headers=HTML | {"transfer-encoding": "chunked"}),
        "S6 gzip bomb": Reply(body=gzip.compress(bytes(50_000_000)), headers=HTML | {"content-encoding": "gzip"}),
        "S7 slow body": lambda _: Reply(body=server.slowly(b"a"), headers=HTML),
        "S7 250,000 attributes": html("<p " + " ".join(f"a{number}" for number in range(250_000)) + ">"),
        "S7 300,000 deep": html("<div>" * 300_000),
        "S7 never closed": html("<b><p></b>" * 190_000),
    }


def run(_base: PreparedFolder) -> Iterator[DrillResult]:
    yield from asyncio.run(_drilled())


async def _drilled() -> list[DrillResult]:
    with FakeServer() as server:
        world = World(server)
        hostile = pages(server)
        server.answers = {f"/{place}": answer for place, answer in enumerate(hostile.values())}
        server.answers |= {"/": html("<p>One half"), "/long": html("<p>one half " * 160_000)}
        await _outcome(world, "http://page.example/")
        results = [await _told(world, f"S1 {url[:30]!r}", url) for url in HOSTILE if url]
        results += [await _told(world, name, f"http://page.example/{place}") for place, name in enumerate(hostile)]
        return [*results, await _told(world, "2 MB of words", "http://page.example/long", wanted=True)]


async def _told(world: World, name: str, url: str, *, wanted: bool = False) -> DrillResult:
    watched = await watched_while(_outcome(world, url))
    faults = [watched.found] if (watched.found == READ) is not wanted else []
    if watched.seconds > WITHIN_S and watched.is_quiet:
        faults.append(f"after more than {WITHIN_S} s")
    return watched.as_result(name, faults, note=watched.found)


async def _outcome(world: World, url: str) -> str:
    use = ToolUse(turn_id=None, person_id=None, agent="research", number=1, tool="fetch_page")
    try:
        await fetch_page(fetch=world.fetch).run(PageRequest.model_construct(url=url), use)
    except ToolFailed as failure:
        return str(failure)
    return READ
