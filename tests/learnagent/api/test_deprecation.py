"""The headers that say that v1 is deprecated, as an admin has announced it."""

from datetime import date, timedelta

import pytest
from channels.testing import WebsocketCommunicator
from django.db import OperationalError
from hypothesis import given
from hypothesis import strategies as st

from conversations.models import V1Deprecation
from conversations.v1.deprecation import announce_deprecation, deprecation_headers, forget_deprecation, months_after
from learnagent import websocket_urls

HEADERS = ("Deprecation", "Sunset", "Link")
V1 = ["/api/conversation", "/api/search", "/api/stats", "/api/session/a/b/history"]
OTHERS = ["/api/conversation/smart", "/v2/sessions", "/api/nothing", "/c/"]


def headers_of(response):
    return [name for name in HEADERS if name in response]


@pytest.mark.django_db
@pytest.mark.parametrize("path", V1 + OTHERS)
def test_only_v1_has_them_once_an_admin_says_so(client, root, path):
    assert headers_of(client.get(path)) == []
    announce_deprecation(since=date(2026, 11, 1), sunset=None, by=root, seen=None)
    assert headers_of(client.get(path)) == (list(HEADERS) if path in V1 else [])
    announce_deprecation(since=None, sunset=None, by=root, seen=V1Deprecation.objects.get().pk)
    assert headers_of(client.get(path)) == []


@pytest.mark.django_db
def test_requests_after_the_first_cost_no_query(client, root, django_assert_num_queries, monkeypatch):
    monkeypatch.setattr("agents.storage.brief_cache.time.monotonic", lambda: 1000.0)
    announce_deprecation(since=date(2026, 11, 1), sunset=None, by=root, seen=None)
    client.get("/api/stats")
    with django_assert_num_queries(0):
        assert headers_of(client.get("/api/stats")) == list(HEADERS)


@pytest.mark.django_db
def test_another_process_notices_within_five_seconds(client, root, monkeypatch):
    """Its change is one that this process's memory does not know of."""
    now = [1000.0]
    monkeypatch.setattr("agents.storage.brief_cache.time.monotonic", lambda: now[0])
    client.get("/api/stats")
    V1Deprecation.objects.create(since=date(2026, 11, 1), by=root)
    assert headers_of(client.get("/api/stats")) == []
    now[0] += 5
    assert headers_of(client.get("/api/stats")) == list(HEADERS)


@pytest.mark.django_db
def test_an_unavailable_database_costs_the_headers_and_not_the_answer(client, monkeypatch):
    def fails(*names):
        raise OperationalError("database is locked")

    forget_deprecation()
    monkeypatch.setattr("conversations.v1.deprecation.V1Deprecation.objects.values_list", fails)
    response = client.get("/api/stats")
    assert (response.status_code, headers_of(response)) == (401, [])


def test_days_are_told_as_the_standards_say(settings):
    """RFC 9745: seconds since 1970 after an @; RFC 8594: an HTTP date."""
    settings.PUBLIC_URL = "https://learn.example"
    headers = deprecation_headers(date(2026, 11, 1), None)
    assert (headers["Deprecation"], headers["Sunset"]) == ("@1793491200", "Sat, 01 May 2027 00:00:00 GMT")
    assert '<https://learn.example/v2/docs#the-v1-api>; rel="deprecation"' in headers["Link"]
    assert deprecation_headers(date(2026, 11, 1), date(2028, 2, 29))["Sunset"] == "Tue, 29 Feb 2028 00:00:00 GMT"


@pytest.mark.parametrize(
    ("day", "later"),
    [
        ((2026, 8, 31), (2027, 2, 28)),
        ((2027, 8, 31), (2028, 2, 29)),
        ((2026, 6, 30), (2026, 12, 30)),
        ((2026, 7, 1), (2027, 1, 1)),
    ],
)
def test_six_months_later_is_a_day_that_exists(day, later):
    assert months_after(date(*day), 6) == date(*later)


@given(day=st.dates(max_value=date(9000, 1, 1)))
def test_six_months_are_about_half_a_year(day):
    assert timedelta(days=180) <= months_after(day, 6) - day <= timedelta(days=185)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("path", "is_marked"), [("/ws/a/b", True), ("/v2/ws/a/b", False), ("/live/a", False)])
async def test_only_the_v1_socket_has_them_once_an_admin_says_so(path, is_marked):
    async def accepted():
        socket = WebsocketCommunicator(websocket_urls.application, path)
        await socket.send_input({"type": "websocket.connect"})
        answer = await socket.receive_output()
        socket.stop()
        return dict(answer.get("headers", ()))

    assert await accepted() == {}
    await V1Deprecation.objects.acreate(since=date(2026, 11, 1))
    forget_deprecation()
    found = await accepted()
    assert found.keys() == ({b"deprecation", b"sunset", b"link"} if is_marked else set())
    assert found.get(b"deprecation", b"@1793491200") == b"@1793491200"
