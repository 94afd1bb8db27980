"""K1–K3: what is planted where it does not belong — key, cookie, mail address, a child's name — turns up nowhere else."""

import json
import logging
from collections.abc import Callable, Coroutine, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.test import AsyncClient

from conversations.models import Turn
from conversations.web import presentation
from learnagent.operations.logs import LogFormat, line_formatter
from tests.conversations.provider_helpers import KEY
from tests.people import make_root
from tests.provider import Answer, Provider

pytestmark = pytest.mark.django_db(transaction=True)

Served = Callable[..., Coroutine[Any, Any, Turn]]
NAME, COOKIE, MAIL = "CANARYCHILD", "CANARYCOOKIE", "CANARY.mail@example.org"
ECHO = f"Incorrect API key provided: {KEY}. Ask {MAIL}, or send Authorization: Bearer {KEY}"
LAYOUTS: tuple[LogFormat, ...] = ("text", "json")
ACCOUNTS = "accounts"
"""Where a name belongs."""


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """What the place logs with LOG_LEVEL=DEBUG, as it is written, in both formats."""
    root = logging.getLogger()
    level = root.level
    handlers = [logging.FileHandler(tmp_path / "log") for _layout in LAYOUTS]
    for handler, layout in zip(handlers, LAYOUTS, strict=True):
        handler.setFormatter(line_formatter(layout))
        root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield tmp_path / "log"
    for handler in handlers:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


@sync_to_async
def stored() -> str:
    """Return every row of every table but the accounts' own."""
    models = [model for model in apps.get_models() if model._meta.app_label != ACCOUNTS]
    return "".join(serializers.serialize("json", model._default_manager.all()) for model in models)


async def named(person: Any) -> Any:
    person.display_name = NAME
    await person.asave()
    return person


@sync_to_async
def written(log: Path) -> str:
    return log.read_text()


def planted(text: str) -> list[str]:
    return [canary for canary in (KEY, KEY[:14], NAME, COOKIE, MAIL) if canary in text]


@pytest.mark.parametrize("fault", [None, "V5:401", "V5:400", "V8", "V9", "V7"])
async def test_turns_leave_nothing_behind(
    served: Served, provider: Provider, log: Path, ada: Any, ben: Any, fault: str | None
) -> None:
    """K1, K2, V5: a lesson's turns, a child's and an adult's, with a provider that echoes the key."""
    if fault:
        provider.fault(fault)
    for person in (await named(ada), await named(ben)):
        await served(person)
        client = AsyncClient(headers={"cookie": f"tracker={COOKIE}"})
        await client.aforce_login(person)
        client.cookies["tracker"] = COOKIE
        await client.get("/c/s/")
    assert planted(await written(log)) == []
    assert planted(await stored()) == []
    asked = json.dumps([request.body for request in provider.requests])
    assert planted(asked) == []
    assert provider.requests


async def test_error_that_carries_secrets_shows_them_to_nobody(
    served: Served,
    provider: Provider,
    log: Path,
    ben: Any,
    connect: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """K1, K2: an error page and an API call whose exception holds all of it."""
    await served(ben)
    monkeypatch.setattr(presentation, "sidebar_context", _bursts)
    client = AsyncClient(raise_request_exception=False)
    await client.aforce_login(ben)
    client.cookies["tracker"] = COOKIE
    answer = await client.get("/c/s/")
    assert (answer.status_code, planted(answer.text)) == (500, [])
    monkeypatch.setattr("conversations.turns.begin.begin_turn", _bursts)
    body = json.dumps({"text": "why?", "session_id": "s"})
    answer = await client.post("/v2/conversation", body, content_type="application/json")
    assert (answer.status_code, planted(answer.text)) == (500, [])
    lines = await written(log)
    assert "[hidden]" in lines
    assert planted(lines) == []


async def test_what_the_place_tells_of_itself_holds_none(served: Served, provider: Provider, ben: Any) -> None:
    """K1, K3: health, flags, budgets and the admin's lists, after a provider has echoed the key."""
    provider.otherwise(Answer(status=400, text=ECHO))
    await served(await named(ben))
    root = await sync_to_async(make_root)()
    told = StringIO()
    for command in (["flag", "multi_agent"], ["budget", "site"], ["budget", "person:ben"]):
        await sync_to_async(call_command)(*command, stdout=told)
    client = AsyncClient()
    await client.aforce_login(root)
    for address in ("/health", "/admin/agents/modelcall/", "/admin/agents/alert/", "/admin/agents/flag/"):
        answer = await client.get(address)
        assert answer.status_code == 200
        told.write(answer.text)
    assert planted(told.getvalue()) == []


def _bursts(*args: Any, **options: Any) -> Any:
    raise RuntimeError(f"{ECHO} cookie: tracker={COOKIE}")
