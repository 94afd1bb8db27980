"""A real server on the test database, and a browser that complains about everything a page does wrong."""

import asyncio
import os
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from playwright.sync_api import BrowserContext, expect

from agents.engine.roles import RoleCall
from agents.engine.speaker import PlanSpeaker, Speaker, SpeechPiece
from agents.llm.base import TextPiece
from agents.llm.offline import OfflineBackend
from agents.local_models import embeddings
from conversations.search.index import update_index
from conversations.search.publications import publish_changed
from conversations.turns.supervisor import supervisor
from tests import people
from tests.e2e.page_actions import Complaints, sign_in
from tutoring import model_preload
from tutoring.course_storage import store_course
from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.loader import read_course

# The synchronous Playwright keeps a loop running in this thread, where Django would refuse its ORM.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
expect.set_options(timeout=15_000)

FRACTIONS = Path(__file__).parents[2] / "courses" / "fractions"


class Server:
    """Our application on a port of its own, in a thread with its own loop."""

    def __init__(self) -> None:
        from learnagent.asgi import application

        self.sock = socket.socket()
        self.sock.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.sock.getsockname()[1]}"
        config = uvicorn.Config(application, log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
        self.server = uvicorn.Server(config)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve(sockets=[self.sock]))

    def settle(self) -> None:
        """Stop every turn that still runs, and wait for it and for what was noticed: the next test begins with empty tables."""
        asyncio.run_coroutine_threadsafe(_settled(), self.loop).result(15)

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)


async def _settled() -> None:
    for turn_id in list(supervisor._tasks):
        supervisor.stop(turn_id)
        await supervisor.finished(turn_id)
    await asyncio.gather(*supervisor.listening._keeping, return_exceptions=True)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    served = Server()
    served.thread.start()
    yield served
    served.close()


@pytest.fixture(scope="session")
def fractions() -> BuiltCourse:
    """The shipped course, read and checked once."""
    return read_course(FRACTIONS)


@pytest.fixture
def url(transactional_db: None, settings: Any, server: Server, fractions: BuiltCourse) -> Iterator[str]:
    """The address of a server with the shipped course, whose tutor speaks without pauses."""
    settings.PUBLIC_URL = server.url
    offline = {"BACKEND": "agents.llm.offline.OfflineBackend"}
    settings.LLMS = dict.fromkeys(("strong", "fast", "vision", "offline"), offline)
    store_course(fractions, position=0)
    _load_models()
    yield server.url
    server.settle()


@pytest.fixture
def articles(url: str, _vectors_kept: None) -> None:
    """Publish the shipped articles, and index them by their words and their meaning."""
    publish_changed()
    update_index()


@pytest.fixture(scope="session")
def _vectors_kept() -> Iterator[None]:
    """Keep the vector of every passage: those of all articles take longer than any test, and are always the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embeddings, "_embed_by_length", cache(embeddings._embed_by_length))
        yield


@cache
def _load_models() -> None:
    """Load what a server loads at its start: on a busy machine it takes longer than a page may wait."""
    model_preload.load_models()


class BlockedSpeaker(Speaker):
    """Says all but the last words, and those when the cue is given: nothing has to be done within a reply's time."""

    def __init__(self, *, cue: threading.Event) -> None:
        self.cue = cue

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        pieces = [piece async for piece in PlanSpeaker(OfflineBackend()).stream(call)]
        last_words = max((place for place, piece in enumerate(pieces) if isinstance(piece, TextPiece)), default=None)
        for place, piece in enumerate(pieces):
            if place == last_words:
                await asyncio.to_thread(self.cue.wait)
            yield piece


@pytest.fixture
def cue(url: str) -> Iterator[threading.Event]:
    """What a held tutor waits for; given at the latest when the test is over."""
    cue = threading.Event()
    yield cue
    cue.set()


def held(cue: threading.Event) -> dict[str, Any]:
    """`settings.LLMS` with a tutor who waits for the cue."""
    tutor = {"BACKEND": f"{__name__}.{BlockedSpeaker.__name__}", "OPTIONS": {"cue": cue}}
    return dict.fromkeys(("strong", "fast", "vision"), tutor)


@pytest.fixture
def ada(transactional_db: None) -> Any:
    return people.make_ada()


@pytest.fixture
def learner(url: str, ada: Any, context: BrowserContext) -> Any:
    """Ada, signed in."""
    sign_in(context, ada, url)
    return ada


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    quiet = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    path = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
    return {**browser_type_launch_args, "executable_path": path, "args": quiet}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}


@pytest.fixture
def complaints(url: str) -> Complaints:
    return Complaints(host=urlsplit(url).netloc)


@pytest.fixture(autouse=True)
def _nothing_to_complain_about(complaints: Complaints, context: BrowserContext) -> Iterator[None]:
    """Fail a test whose pages logged an error, broke the content policy, asked another host or opened a dialog."""
    complaints.listen(context)
    yield
    assert not complaints.heard
