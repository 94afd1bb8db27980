"""The headers that say that v1 is deprecated."""

from datetime import date, timedelta

import pytest
from channels.testing import WebsocketCommunicator
from hypothesis import given
from hypothesis import strategies as st

from learnagent import websocket_urls
from learnagent.api.deprecation import deprecation_headers, months_after

HEADERS = ("Deprecation", "Sunset", "Link")
V1 = ["/api/conversation", "/api/search", "/api/stats", "/api/session/a/b/history"]
OTHERS = ["/api/conversation/smart", "/v2/sessions", "/api/nothing", "/c/"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", V1 + OTHERS)
def test_only_v1_has_them_once_the_operator_says_so(client, settings, path):
    assert not [name for name in HEADERS if name in client.get(path)]
    settings.V1_DEPRECATED_SINCE = date(2026, 11, 1)
    assert [name for name in HEADERS if name in client.get(path)] == (list(HEADERS) if path in V1 else [])


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


@pytest.mark.parametrize(("path", "is_marked"), [("/ws/a/b", True), ("/v2/ws/a/b", False), ("/live/a", False)])
async def test_only_the_v1_socket_has_them_once_the_operator_says_so(settings, path, is_marked):
    async def accepted():
        socket = WebsocketCommunicator(websocket_urls.application, path)
        await socket.send_input({"type": "websocket.connect"})
        answer = await socket.receive_output()
        socket.stop()
        return dict(answer.get("headers", ()))

    assert await accepted() == {}
    settings.V1_DEPRECATED_SINCE = date(2026, 11, 1)
    found = await accepted()
    assert found.keys() == ({b"deprecation", b"sunset", b"link"} if is_marked else set())
    assert found.get(b"deprecation", b"@1793491200") == b"@1793491200"
