"""The address behind a proxy is the client's, and nobody else can claim one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from learnagent.configuration.environment import Environment
from learnagent.http.trusted_proxies import parse_networks, scope_behind_proxies, trusted_proxy_middleware

TRUSTED = parse_networks("10.0.0.0/8, 127.0.0.1 fd00::/8")


def scope_of(peer, *, kind="http", **headers):
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scheme = "http" if kind == "http" else "ws"
    return {"type": kind, "scheme": scheme, "client": (peer, 5000) if peer else None, "headers": pairs}


def client_of(peer, forwarded):
    return scope_behind_proxies(scope_of(peer, x_forwarded_for=forwarded), TRUSTED)["client"][0]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("fd00::1", "2001:db8::9", "2001:db8::9"),
        ("10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9"),
        # What stands before the first hop that is not trusted was written by who is behind it.
        ("10.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("10.0.0.1", "[2001:db8::9]:4711", "2001:db8::9"),
        ("10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9, nonsense, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_client_is_the_nearest_hop_that_is_no_trusted_proxy(peer, forwarded, client):
    assert client_of(peer, forwarded) == client


@pytest.mark.parametrize("peer", ["203.0.113.9", "11.0.0.1", "2001:db8::1", "", None])
def test_claims_of_an_untrusted_peer_change_nothing(peer):
    scope = scope_of(peer, x_forwarded_for="127.0.0.1", x_forwarded_proto="https")
    assert scope_behind_proxies(scope, TRUSTED) == scope


def test_several_headers_are_one_list():
    scope = scope_of("10.0.0.1")
    scope["headers"] = [(b"X-Forwarded-For", b"1.2.3.4"), (b"x-forwarded-for", b"203.0.113.9, 10.0.0.2")]
    assert scope_behind_proxies(scope, TRUSTED)["client"][0] == "203.0.113.9"


@pytest.mark.parametrize(
    ("kind", "claimed", "scheme"),
    [
        ("http", "https", "https"),
        ("http", "HTTPS", "https"),
        ("http", "https, http", "http"),
        ("http", "gopher", "http"),
        ("http", "", "http"),
        ("websocket", "https", "wss"),
        ("websocket", "wss", "wss"),
    ],
)
def test_scheme_is_the_nearest_proxys(kind, claimed, scheme):
    assert scope_behind_proxies(scope_of("10.0.0.1", kind=kind, x_forwarded_proto=claimed), TRUSTED)["scheme"] == scheme


@settings(max_examples=30)
@given(st.text(), st.text())
def test_no_header_is_too_strange(forwarded, proto):
    scope = scope_of("10.0.0.1")
    scope["headers"] = [(b"x-forwarded-for", forwarded.encode()), (b"x-forwarded-proto", proto.encode())]
    assert scope_behind_proxies(scope, TRUSTED)["scheme"] in ("http", "https")


def test_socket_whose_server_names_no_scheme_has_its_client_all_the_same():
    scope = scope_of("10.0.0.1", kind="websocket", x_forwarded_for="203.0.113.9")
    del scope["scheme"]
    seen = scope_behind_proxies(scope, TRUSTED)
    assert (seen["client"][0], "scheme" in seen) == ("203.0.113.9", False)


async def test_application_is_told_of_the_client():
    told = []

    async def application(scope, receive, send):
        told.append(scope["client"][0])

    await trusted_proxy_middleware(application, TRUSTED)(
        scope_of("10.0.0.1", x_forwarded_for="203.0.113.9"), None, None
    )
    await trusted_proxy_middleware(application, ())(scope_of("10.0.0.1", x_forwarded_for="203.0.113.9"), None, None)
    assert told == ["203.0.113.9", "10.0.0.1"]


def test_variable_is_read_and_a_wrong_one_stops_the_start(monkeypatch):
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.0/8, ::1")
    assert parse_networks("10.0.0.0/8 ::1") == Environment().TRUSTED_PROXIES
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.1/8")
    with pytest.raises(ValidationError, match="TRUSTED_PROXIES"):
        Environment()
