"""The client in one file: its examples are run, and what it does when a server is busy or out of reach."""

import asyncio
import doctest
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from types import ModuleType
from typing import Any

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings

from learnagent.accounts.authentication.api_tokens import make_token
from tests.learnagent.api.live_server import served

FOLDER = settings.BASE_DIR / "docs" / "client"
BUSY = {"code": "rate_limited", "message": "Wait.", "ref": "r", "retry_after_s": 7}
REFUSED = {"code": "invalid_input", "message": "Write a message first.", "ref": "r"}


@pytest.fixture
def client_module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import learnagent_client  # Only the folder of the docs has it.

    return learnagent_client


@pytest.mark.django_db(transaction=True)
async def test_examples_do_what_they_say(client_module: ModuleType, ada: Any, supervisor: Any) -> None:
    async with served() as port:
        known = {"SERVER": f"http://127.0.0.1:{port}", "TOKEN": await sync_to_async(make_token)(ada)}
        told: list[str] = []
        (examples,) = doctest.DocTestFinder(recurse=False).find(client_module, extraglobs=known)
        runner = doctest.DocTestRunner(verbose=False)
        await asyncio.to_thread(runner.run, examples, out=told.append, clear_globs=False)
        assert "".join(told) == ""
        assert (runner.failures, runner.tries) == (0, len(examples.examples))
        shown = io.StringIO()
        with redirect_stdout(shown):
            await examples.globs["show"]()
        assert shown.getvalue() == "One half."


def answering(module: ModuleType, *answers: Any) -> tuple[Any, list[float]]:
    """Return a client whose requests get these answers, and the pauses it makes."""
    left, pauses = list(answers), []

    def answer(request: httpx.Request) -> httpx.Response:
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        status, body = given
        return httpx.Response(status, json=body)

    client = module.Learnagent("http://x", "la_x", transport=httpx.MockTransport(answer), sleep=pauses.append)
    return client, pauses


def test_busy_server_is_asked_again_when_it_says(client_module: ModuleType) -> None:
    client, pauses = answering(client_module, (429, {"error": BUSY}), (200, {"agent_text": "One half."}))
    assert client.ask("hello")["agent_text"] == "One half."
    assert pauses == [7]


def test_refused_request_is_not_sent_again(client_module: ModuleType) -> None:
    client, pauses = answering(client_module, (422, {"error": REFUSED}))
    with pytest.raises(client_module.ApiError, match="Write a message first"):
        client.ask(" ")
    assert pauses == []


@pytest.mark.parametrize(
    ("call", "comes_back"),
    [(lambda client: client.ask("hello"), False), (lambda client: client.converse("hello"), True)],
    ids=["without a client_id", "with one"],
)
def test_broken_connection_repeats_only_what_runs_once(
    client_module: ModuleType, call: Callable[[Any], Any], comes_back: bool
) -> None:
    client, _pauses = answering(client_module, httpx.ReadError("gone"), (200, {"response": "One half."}))
    if comes_back:
        assert call(client)["response"] == "One half."
    else:
        with pytest.raises(httpx.ReadError):
            call(client)


def test_answer_of_a_proxy_is_an_error_of_http(client_module: ModuleType) -> None:
    client, _pauses = answering(client_module, (502, "bad gateway"))
    with pytest.raises(httpx.HTTPStatusError):
        client.stats()


def test_queued_message_is_waited_for(client_module: ModuleType) -> None:
    answers = [(202, {"turn_id": "t", "queued": 1}), (200, {"answer": None}), (200, {"answer": {"response": "Yes."}})]
    client, pauses = answering(client_module, *answers)
    assert client.converse("hello")["response"] == "Yes."
    assert pauses == [1, 1]


def test_client_can_be_fetched_from_the_server(client: Any) -> None:
    response = client.get("/v2/client.py")
    assert response.text == (FOLDER / "learnagent_client.py").read_text()
    assert response["Content-Disposition"] == 'attachment; filename="learnagent_client.py"'
