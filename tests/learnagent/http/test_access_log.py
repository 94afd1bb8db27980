"""A line for each request, two for each socket, and one for each refusal; none with what signs somebody in."""

import json
import logging

import pytest
from channels.testing import HttpCommunicator
from django.conf import settings
from django.test import Client
from django.urls import URLResolver, get_resolver

from agents.wire.rejections import PROTECTIVE_STATUSES
from learnagent.asgi import application
from learnagent.http.access_log import access_log_middleware
from learnagent.operations.log_redaction import redact
from tests.conversations.sockets import PATIENCE_S, Socket, cookie_of, token_of

KEY = "CANARY-session"


async def asked(path, *, method="GET", body=b"", **headers):
    pairs = [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()]
    pairs += [(b"content-length", str(len(body)).encode()), (b"host", b"localhost")]
    request = HttpCommunicator(application, method, path, body=body, headers=pairs)
    response = await request.get_response(PATIENCE_S)
    await request.wait(PATIENCE_S)
    return response


def routes(patterns):
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from (f"{each.pattern}{rest}" for rest in routes(each.url_patterns))
        else:
            yield str(each.pattern)


@pytest.mark.django_db(transaction=True)
class TestRequest:
    async def test_has_a_line_with_who_asked_for_what_and_what_came_of_it(self, ada, log):
        response = await asked(f"/v2/sessions/{KEY}/turns?limit=1", authorization=f"Bearer {await token_of(ada)}")
        [event] = log.named("request")
        assert (event["method"], event["route"]) == ("GET", "v2/sessions/<path:session_id>/turns")
        assert (event["status"], event["bytes"]) == (404, len(response["body"]))
        assert (event["person"], event["ref"]) == (ada.pk, json.loads(response["body"])["error"]["ref"])
        assert event["ms"] > 0
        assert "CANARY" not in log.text

    async def test_of_a_page_names_its_reader(self, ada, log):
        await asked("/c/", cookie=await cookie_of(ada))
        assert [(event["route"], event["person"]) for event in log.named("request")] == [("c/", ada.pk)]

    @pytest.mark.parametrize("path", ["/accounts/link/CANARY/", f"/c/{KEY}/no/such/page", "/c/%20CANARY"])
    async def test_has_no_path_that_signs_in_or_is_a_key(self, log, path):
        await asked(path)
        assert len(log.named("request")) == 1
        assert "CANARY" not in log.text

    async def test_that_no_page_answers_has_its_path(self, log):
        await asked("/no/such/page?token=CANARY")
        [event] = log.named("request")
        assert (event["path"], event["status"]) == ("/no/such/page", 404)

    async def test_is_told_once_where_it_is_refused_before_it_is_read(self, log):
        await asked("/v2/conversation", method="POST", body=bytes(2_000_000))
        assert [event["code"] for event in log.named("request_refused")] == ["too_large"]
        assert [event["status"] for event in log.named("request")] == [413]

    async def test_line_can_be_left_out(self, log, caplog):
        caplog.set_level(logging.WARNING, "learnagent.http.access_log")
        await asked("/no/such/page")
        assert log.events == []


async def test_request_that_ends_with_an_error_has_a_line_too(log):
    async def fail(scope, receive, send):
        raise RuntimeError("no")

    request = HttpCommunicator(access_log_middleware(fail), "GET", "/x")
    with pytest.raises(RuntimeError):
        await request.wait(PATIENCE_S)
    [event] = log.named("request")
    assert (event["path"], event["status"]) == ("/x", None)


def test_pattern_of_no_address_is_taken_for_a_key():
    found = {*routes(get_resolver().url_patterns)}
    assert len(found) > 100
    assert [route for route in found if redact(route) != route] == []


@pytest.mark.django_db(transaction=True)
class TestSocket:
    async def test_is_told_when_it_opens_and_when_it_closes(self, ada, log):
        socket = Socket(f"/ws/{KEY}?token={await token_of(ada)}", {})
        await socket.open()
        await socket.send({"type": "ping"})
        await socket.until("pong")
        await socket.leave()
        opened, closed = log.named("socket_opened", "socket_closed")
        assert opened["path"] == closed["path"] == "/ws/[hidden]"
        assert (closed["code"], closed["person"]) == (1000, ada.pk)
        assert opened["ref"] == closed["ref"]
        assert closed["ms"] > 0
        assert "CANARY" not in log.text

    async def test_that_is_refused_is_told_with_its_code(self, log):
        socket = Socket(f"/v2/ws/{KEY}", {"Authorization": "Bearer nobody"})
        await socket.open()
        assert await socket.refused() == ("unauthenticated", 4401)
        await socket.leave()
        [refused] = log.named("socket_refused")
        assert (refused["level"], refused["code"], refused["status"]) == ("info", "unauthenticated", 401)
        assert [event["code"] for event in log.named("socket_closed")] == [4401]

    async def test_from_a_foreign_origin_is_told(self, ada, log):
        """W1"""
        await Socket(f"/v2/ws/{KEY}", {"Cookie": await cookie_of(ada), "Origin": "http://evil.example"}).open()
        [refused] = log.named("socket_refused")
        assert (refused["level"], refused["code"], refused["status"]) == ("warning", "forbidden", 403)

    async def test_frame_that_is_refused_is_told_without_its_content(self, ada, log):
        socket = await (await Socket.by_token(ada, "/v2/ws/s")).open()
        await socket.send({"type": "message", "text": "", "client_id": "CANARY"})
        await socket.until("error")
        await socket.leave()
        [refused] = log.named("frame_refused")
        assert (refused["code"], refused["status"], refused["person"]) == ("invalid_input", 422, ada.pk)
        assert "CANARY" not in log.text


@pytest.mark.django_db(transaction=True)
class TestRefusal:
    def refused(self, log):
        [event] = log.named("request_refused")
        return event["level"], event["status"], event["code"]

    def test_of_a_form_without_its_token_is_told(self, ada, log):
        client = Client(enforce_csrf_checks=True)
        client.force_login(ada)
        client.post("/accounts/look/", {"theme": "dark"})
        assert self.refused(log) == ("warning", 403, "forbidden")
        [event] = log.events
        assert (event["person"], event["reason"]) == (ada.pk, "CSRF cookie not set.")

    def test_of_more_than_may_be_asked_is_told(self, client, ada, log, settings):
        """L1: by which limit a person was refused."""
        settings.AGENTS = settings.AGENTS | {"turns_at_once": 0}
        client.force_login(ada)
        client.post("/v2/conversation", {"text": "CANARY"}, content_type="application/json")
        assert self.refused(log) == ("warning", 429, "rate_limited")
        assert "CANARY" not in log.text

    def test_of_too_many_tries_to_sign_in_is_told_on_a_page_too(self, client, log):
        """L1"""
        for _ in range(12):
            client.post("/accounts/sign-in/", {"username": "CANARY", "password": "no"})
        events = log.named("request_refused")
        assert {(event["status"], event["code"]) for event in events} == {(429, "rate_limited")}
        assert "CANARY" not in log.text

    def test_of_a_mistake_is_left_to_the_access_log(self, client, log):
        assert client.get("/v2/sessions").status_code not in PROTECTIVE_STATUSES
        assert log.events == []


def test_refused_requests_are_told_by_django_only_without_the_access_log():
    assert settings.LOGGING["loggers"]["django.request"]["level"] == "ERROR"
