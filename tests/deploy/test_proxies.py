"""The program behind nginx and Caddy, with the files that operators copy."""

import asyncio
import json
from contextlib import ExitStack, asynccontextmanager

import httpx2
import pytest
import websockets

from bench.live_server import server as serving
from conversations.web.transcription import MOST_BASE64_CHARACTERS
from learnagent.http.body_limits import FORM_OVERHEAD_BYTES
from learnagent.http.trusted_proxies import parse_networks, scope_behind_proxies
from tests.deploy import proxy as proxies
from tests.people import PASSWORD

PATIENCE_S = 60
MB = 1 << 20
FILE_BYTES = 10 * MB
PIECE_BYTES = 16_000
CLIENT = "127.0.0.2"
"""Another address of this machine, so that the client is not a trusted proxy."""
SET_PASSWORD = f"""
from learnagent.accounts.models import Person
person = Person.objects.get(username="person0")
person.set_password({PASSWORD!r})
person.save()
"""


@pytest.fixture(params=proxies.PROXIES)
def name(request):
    if not proxies.is_installed(request.param):
        pytest.skip(f"{request.param} is not installed")
    return request.param


class Upstream:
    """A web process that shows what reached it, and that holds back the rest of a stream until it is told to go on."""

    def __init__(self):
        self.heads = {}
        """Path → the head of the last request for it."""
        self.may_go_on = asyncio.Event()

    async def serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.heads[head.split()[1]] = head
        # As `conversations.companion.api.chat_stream` answers.
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Accel-Buffering: no\r\nConnection: close\r\n\r\n"
        )
        writer.write(b"data: first\n\n")
        await writer.drain()
        await self.may_go_on.wait()
        writer.write(b"data: last\n\n")
        writer.close()


@asynccontextmanager
async def before_upstream(name, folder):
    """Run the proxy before one web process that shows what reached it, and one that is away, as while it restarts."""
    upstream = Upstream()
    async with await asyncio.start_server(upstream.serve, "127.0.0.1", 0) as server:
        here = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        away = f"127.0.0.1:{serving.free_port()}"
        with proxies.running(name, folder, port=serving.free_port(), upstreams=(away, here)) as proxy:
            yield proxy, upstream


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_nobody_notices_that_one_of_two_processes_is_away(name, method, tmp_path):
    if (name, method) == ("caddy", "POST"):
        pytest.skip("Caddy up to 2.11.1 sends no body to the second process (its issue 7546)")
    async with before_upstream(name, tmp_path) as (proxy, upstream):
        upstream.may_go_on.set()
        async with httpx2.AsyncClient(verify=proxy.trust, timeout=PATIENCE_S) as client:
            answers = [
                await client.request(method, proxy.url, content=b"{}" if method == "POST" else None) for _ in range(8)
            ]
    assert {answer.status_code for answer in answers} == {200}


async def test_event_stream_arrives_as_it_is_sent_and_says_who_asked(name, tmp_path):
    async with before_upstream(name, tmp_path) as (proxy, upstream):
        transport = httpx2.AsyncHTTPTransport(verify=proxy.trust, local_address=CLIENT)
        async with (
            httpx2.AsyncClient(transport=transport, timeout=PATIENCE_S) as client,
            client.stream("GET", f"{proxy.url}/chat/stream") as answer,
        ):
            lines = answer.aiter_lines()
            assert await anext(lines) == "data: first"
            upstream.may_go_on.set()
            assert [line async for line in lines if line] == ["data: last"]
        head = upstream.heads["/chat/stream"]
    headers = [tuple(line.split(": ", 1)) for line in head.splitlines()[1:] if line]
    wire = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 1), "headers": wire}
    seen = scope_behind_proxies(scope, parse_networks("127.0.0.1"))
    assert (seen["client"][0], seen["scheme"]) == (CLIENT, "https")
    assert dict(wire)[b"host"].decode() == f"localhost:{proxy.port}"


@pytest.fixture(scope="module")
def place(empty_database):
    with serving.prepared_place(people=1, settings="learnagent.settings", empty=empty_database) as made:
        serving.run_in_place(made, SET_PASSWORD)
        yield made


@pytest.fixture(scope="module")
def webs(place):
    """Two web processes, and the port of the proxy that they expect."""
    port = serving.free_port()
    with ExitStack() as stack:
        variables = {"PUBLIC_URL": f"https://localhost:{port}", "TRUSTED_PROXIES": "127.0.0.1"}
        yield port, [stack.enter_context(serving.served(place, by="daphne", **variables)) for _ in range(2)]


@pytest.fixture
def proxy(name, webs, tmp_path):
    port, running = webs
    with proxies.running(name, tmp_path, port=port, upstreams=[web.address for web in running]) as proxy:
        yield proxy


@pytest.fixture
def client(proxy, place):
    headers = {"Authorization": f"Bearer {place.tokens[0]}"}
    with httpx2.Client(verify=proxy.trust, timeout=PATIENCE_S, base_url=proxy.url, headers=headers) as client:
        yield client


def test_page_and_sign_in(proxy):
    moved = httpx2.get(f"http://localhost:{proxy.http_port}/accounts/sign-in/")
    assert moved.status_code in (301, 308)
    assert moved.headers["Location"].startswith("https://localhost")
    with httpx2.Client(verify=proxy.trust, timeout=PATIENCE_S, base_url=proxy.url) as browser:
        page = browser.get("/accounts/sign-in/")
        assert (page.status_code, page.headers["Strict-Transport-Security"]) == (200, "max-age=2592000")
        assert browser.get("/static/css/base.css").headers["Content-Encoding"] == "gzip"
        form = {
            "username": "person0",
            "password": PASSWORD,
            "csrfmiddlewaretoken": browser.cookies["csrftoken"],
        }
        signed_in = browser.post("/accounts/sign-in/", data=form, headers={"Origin": proxy.url, "Referer": proxy.url})
        assert signed_in.status_code == 302
        assert "Secure" in signed_in.headers["Set-Cookie"]
        assert browser.get("/", headers={"Accept": "text/html"}).status_code == 200


async def test_lesson_over_a_websocket(proxy, place):
    headers = {"Authorization": f"Bearer {place.tokens[0]}"}
    address = f"wss://localhost:{proxy.port}/v2/ws/lesson-{proxy.port}"
    async with asyncio.timeout(PATIENCE_S):
        async with websockets.connect(address, additional_headers=headers, ssl=proxy.trust, proxy=None) as wire:
            await wire.send(json.dumps({"type": "message", "text": "What can you do?"}))
            events = []
            while not events or events[-1]["type"] != "turn_finished":
                events.append(json.loads(await wire.recv()))
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_event_stream_of_the_companion(client):
    with client.stream("POST", "/chat/stream", json={"message": "What can you do?"}) as answer:
        events = [json.loads(line.removeprefix("data: ")) for line in answer.iter_lines() if line]
    assert (answer.status_code, events[0]["type"], events[-1]["type"]) == (200, "turn_started", "turn_finished")


def test_largest_file_is_taken_and_larger_ones_are_refused(client):
    def upload(size):
        return client.post("/v2/attachments", files={"file": ("notes.txt", b"a half \n" * (size // 8))})

    assert upload(FILE_BYTES).status_code == 201
    refused = upload(FILE_BYTES + 2 * FORM_OVERHEAD_BYTES)
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large")
    assert upload(20 * MB).status_code == 413


async def test_large_body_of_somebody_unknown_is_refused_before_it_is_sent(proxy):
    """B9. Caddy passes the answer on with the next piece of the body."""
    reader, writer = await asyncio.open_connection("localhost", proxy.port, ssl=proxy.trust)
    head = f"POST /library/ HTTP/1.1\r\nHost: localhost:{proxy.port}\r\nContent-Length: {FILE_BYTES}\r\n\r\n"
    writer.write(head.encode())
    answer = asyncio.create_task(reader.readline())
    for _piece in range(FILE_BYTES // 2 // PIECE_BYTES):
        writer.write(bytes(PIECE_BYTES))
        await writer.drain()
        await asyncio.wait({answer}, timeout=0.1)
        if answer.done():
            break
    assert answer.done()
    assert answer.result().split()[1] == b"401"
    writer.close()


def test_proxies_let_through_what_the_program_reads_and_little_more():
    largest = max(MOST_BASE64_CHARACTERS, FILE_BYTES) + FORM_OVERHEAD_BYTES
    assert largest < 14 * MB < largest + MB
    assert "client_max_body_size 14m;" in (proxies.DEPLOY / "nginx.conf").read_text()
    assert "max_size 14MiB\n" in (proxies.DEPLOY / "Caddyfile").read_text()
