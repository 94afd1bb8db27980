"""How much may be sent where, by whom and how fast is decided by a request's head."""

import asyncio
import json
from contextlib import contextmanager

import pytest
from asgiref.sync import SyncToAsync, sync_to_async
from django.conf import settings
from django.db import InterfaceError, connection

from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.http import body_limits
from learnagent.http.body_limits import (
    MAX_LARGE_BODIES,
    SMALL_BODY_BYTES,
    admit,
    error_response,
    find_rejection,
    limit_bodies,
    max_bytes,
    release,
)
from tests.conversations.sockets import cookie_of

LIBRARY, CALL, SIGN_IN = "/library/", "/v2/conversation", "/accounts/sign-in/"
MEGABYTES = 10 * 1024 * 1024


def head(length, *more):
    return [(b"content-length", str(length).encode()), *more]


@pytest.mark.parametrize("path", [LIBRARY, CALL, SIGN_IN, "/nowhere"])
def test_is_read_up_to_the_limit_of_its_address(path):
    """B9"""
    assert find_rejection([], path) is None
    assert find_rejection(head(max_bytes(path)), path) is None
    assert find_rejection(head(max_bytes(path) + 1), path).status == 413


@pytest.mark.parametrize(
    ("path", "least", "most"),
    [
        (LIBRARY, MEGABYTES, 2 * MEGABYTES),
        ("/v2/attachments", MEGABYTES, 2 * MEGABYTES),
        ("/c/some key/speech/heard", MEGABYTES, 2 * MEGABYTES),
        (CALL, 900_000, 1_000_000),
        ("/c/some key/board/", 900_000, 1_000_000),
        ("/accounts/sign-up/", 10_000, SMALL_BODY_BYTES),
        ("/accounts/link/x/", 10_000, SMALL_BODY_BYTES),
        ("/accounts/reset/x/", 10_000, SMALL_BODY_BYTES),
        ("/nowhere", 10_000, SMALL_BODY_BYTES),
        ("//", 10_000, SMALL_BODY_BYTES),
    ],
)
def test_files_are_large_only_where_files_are_taken(path, least, most):
    """B9"""
    assert least <= max_bytes(path) <= most


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([(b"content-length", str(10**8).encode())], 413),
        ([(b"content-length", b"9" * 100)], 400),
        ([(b"content-length", b"-1")], 400),
        ([(b"content-length", b"1e3")], 400),
        ([(b"content-length", b"5"), (b"content-length", b"6")], 400),
        ([(b"transfer-encoding", b"chunked")], 413),
        ([(b"transfer-encoding", b"chunked"), (b"content-length", b"5")], 413),
    ],
)
def test_is_refused_where_the_head_says_too_much_or_nothing(headers, status):
    """B9"""
    refused, answered, body = error_response(find_rejection(headers, LIBRARY))
    assert refused == status
    assert dict(answered)[b"Content-Length"] == str(len(body)).encode()
    assert b"error" in body


@pytest.mark.parametrize(
    ("accept", "starts"), [(b"text/html,*/*", b"<!doctype html>"), (b"application/json", b"{"), (b"*/*", b"{")]
)
def test_a_browser_gets_a_page_that_names_the_limit_and_a_program_gets_json(accept, starts):
    """B9"""
    headers = head(10**8, (b"accept", accept))
    _status, _answered, body = error_response(find_rejection(headers, LIBRARY), headers)
    assert body.startswith(starts)
    assert b"You can send up to 10 MB at once." in body


async def called(path, headers, *messages):
    """Call the bounded application with what a client sends; return the bodies it read, and the answer's status."""
    read, answers = [], []

    async def application(scope, receive, send):
        while not read or read[-1]["more_body"]:
            read.append(await receive())
        await send({"type": "http.response.start", "status": 200})

    coming = list(messages)

    async def receive():
        if not coming:
            await asyncio.Event().wait()
        return coming.pop(0)

    async def send(message):
        answers.append(message)

    await limit_bodies(application)({"type": "http", "path": path, "headers": headers}, receive, send)
    return read, answers


@contextmanager
def connection_lost():
    """Fail as a driver does whose connection was closed under it, in the thread in which asynchronous code asks."""

    def lost(execute, sql, params, many, context):
        raise InterfaceError("connection already closed")

    def wrappers():
        return connection.execute_wrappers

    thread = SyncToAsync.single_thread_executor
    thread.submit(wrappers).result().append(lost)
    try:
        yield
    finally:
        thread.submit(wrappers).result().remove(lost)


LAST = {"type": "http.request", "body": b"x", "more_body": False}


class TestSender:
    """A body that is not small is read of people only who are signed in."""

    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.mark.parametrize(
        "given",
        [
            [],
            [(b"cookie", b"sessionid=nobody")],
            [(b"cookie", b"sessionid=")],
            [(b"authorization", b"Bearer nobody")],
            [(b"authorization", b"Bearer")],
        ],
    )
    async def test_nobody_sends_more_than_a_form(self, db, given):
        for path in (LIBRARY, CALL, "/v2/attachments"):
            read, answers = await called(path, head(SMALL_BODY_BYTES + 1, *given), LAST)
            assert (read, answers[0]["status"]) == ([], 401)
            assert dict(answers[0]["headers"])[b"WWW-Authenticate"] == b'Bearer realm="learnagent"'
            assert json.loads(answers[1]["body"])["error"]["code"] == "unauthenticated"

    async def test_small_ones_are_read_of_anybody_without_asking(self, db):
        read, answers = await called(SIGN_IN, head(SMALL_BODY_BYTES), LAST)
        assert (read, answers[0]["status"]) == ([LAST], 200)

    async def test_browsers_and_programs_of_people_send_more(self, ada):
        cookie = (b"cookie", (await cookie_of(ada)).encode())
        token = (b"authorization", f"Bearer {await sync_to_async(make_token)(ada)}".encode())
        assert (await called(LIBRARY, head(MEGABYTES, cookie), LAST))[1][0]["status"] == 200
        assert (await called("/v2/attachments", head(MEGABYTES, token), LAST))[1][0]["status"] == 200
        assert (await called(LIBRARY, head(MEGABYTES, token), LAST))[1][0]["status"] == 401
        assert body_limits._large_bodies == {}

    async def test_who_sends_it_cannot_be_looked_up(self, ada):
        headers = head(MEGABYTES, (b"cookie", (await cookie_of(ada)).encode()))
        with connection_lost():
            refused = await admit(headers, LIBRARY)
        assert (refused.status, body_limits._large_bodies) == (503, {})

    async def test_one_person_has_so_many_at_once(self, ada):
        headers = head(MEGABYTES, (b"cookie", (await cookie_of(ada)).encode()))
        assert [await admit(headers, LIBRARY) for _ in range(MAX_LARGE_BODIES)] == [ada.pk] * MAX_LARGE_BODIES
        _read, answers = await called(LIBRARY, headers, LAST)
        assert answers[0]["status"] == 429
        assert b"Retry-After" in dict(answers[0]["headers"])
        release(ada.pk)
        assert (await called(LIBRARY, headers, LAST))[1][0]["status"] == 200
        for _ in range(MAX_LARGE_BODIES - 1):
            release(ada.pk)
        assert body_limits._large_bodies == {}


class TestTime:
    """A body that drips is given up."""

    async def test_too_slow_a_body_is_told_so(self, monkeypatch):
        monkeypatch.setattr(body_limits, "BODY_TIMEOUT_S", 0.0)
        first = {"type": "http.request", "body": b"x", "more_body": True}
        _read, answers = await called(CALL, head(2), first)
        assert answers[0]["status"] == 408
        assert json.loads(answers[1]["body"])["error"]["code"] == "timeout"

    def test_more_has_more_time(self):
        assert body_limits.time_allowed(0) < body_limits.time_allowed(MEGABYTES) < 400
        assert body_limits.time_allowed(SMALL_BODY_BYTES) < 20

    async def test_who_waits_for_the_answer_has_all_the_time(self, monkeypatch):
        """What an application receives after the body is that the client has gone."""
        coming = [LAST, {"type": "http.disconnect"}]

        async def receive():
            return coming.pop(0)

        in_time = body_limits.limit_receive_time(receive, within_s=10.0)
        assert await in_time() == LAST
        monkeypatch.setattr(asyncio, "timeout_at", lambda until: pytest.fail("the body is whole already"))
        assert await in_time() == {"type": "http.disconnect"}


def test_size_of_a_file_follows_the_settings(monkeypatch):
    monkeypatch.setitem(settings.UPLOADS, "file_bytes", 1000)
    assert max_bytes(LIBRARY) < 100_000
