"""Pages of somebody with 200 conversations of 100 turns: what the server spends on each, and what each weighs."""

import gzip
import re
import uuid
from functools import cache
from io import StringIO
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

from bench.contenders import temporary_django

SESSIONS, TURNS = 200, 100
VISITS = 20
PAGES = (
    "/",
    "/learn/",
    "/learn/fractions/",
    "/progress/",
    "/c/",
    "/c/?q=half",
    "/c/s0/",
    "/c/s0/?at=50",
    "/accounts/profile/",
    "/accounts/sessions/",
    "/accounts/classes/",
    "/accounts/data/",
)
LINKED = re.compile(r'(?:src|href)="/static/([^"#?]+\.(?:css|js|woff2))"')


def sample_pages() -> dict[str, float]:
    """Visit every page as a browser with a session does; return the figures of the slowest and the heaviest."""
    client = _reader()
    figures = [_visited(client, address) for address in PAGES]
    return {name: max(figure[name] for figure in figures) for name in figures[0]}


def _visited(client: Any, address: str) -> dict[str, float]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        page = client.get(address)
        queries = float(len(asked))
    assert page.status_code == 200, address
    cpu, wall = [], []
    for _ in range(VISITS):
        before = process_time(), perf_counter()
        client.get(address)
        cpu.append((process_time() - before[0]) * 1e3)
        wall.append((perf_counter() - before[1]) * 1e3)
    plain, packed = _weight(page.content)
    return {
        "p95_cpu_ms": quantiles(cpu, n=20)[18],
        "p95_wall_ms": quantiles(wall, n=20)[18],
        "queries": queries,
        "html_kb": len(page.content) / 1000,
        "plain_kb": plain / 1000,
        "gzip_kb": packed / 1000,
    }


def _weight(html: bytes) -> tuple[int, int]:
    """Return the bytes of a page with its styles, scripts and preloaded font: as they are, and packed."""
    from django.contrib.staticfiles import finders

    plain, packed = len(html), len(gzip.compress(html))
    for name in set(LINKED.findall(html.decode())):
        path = finders.find(name)
        assert path is not None, name
        content = Path(path).read_bytes()
        plain += len(content)
        packed += len(content) if name.endswith("woff2") else len(gzip.compress(content))
    return plain, packed


@cache
def _reader() -> Any:
    """Store the conversations; return a client that is signed in as whose they are."""
    temporary_django.prepare_django()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    call_command("load_courses", "courses/fractions", trials=1, verbosity=0, stdout=StringIO())
    person = get_user_model().objects.create(username="ada")
    for number in range(SESSIONS):
        _talked(person, f"s{number}")
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    return client


def _talked(person: Any, key: str) -> None:
    from django.db import transaction

    from conversations.models import Message, Session, Turn

    with transaction.atomic():
        session = Session.objects.create(owner=person, key=key, title=f"Talk {key}")
        turns = [
            Turn(session=session, owner=person, number=number, client_id=uuid.uuid4().hex, status="done")
            for number in range(1, TURNS + 1)
        ]
        Turn.objects.bulk_create(turns)
        Message.objects.bulk_create(
            Message(session=session, turn=turn, author=author, text=f"{author} on *half* of it, {turn.number}. " * 4)
            for turn in turns
            for author in ("learner", "team")
        )
