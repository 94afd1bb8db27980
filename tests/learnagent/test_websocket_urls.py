"""Who may open a socket: a token, or the cookie from our own origin."""

import pytest
from django.conf import settings
from django.test import AsyncClient

from learnagent.accounts.models import ApiToken
from tests.conversations.sockets import Socket, cookie_of, token_of

pytestmark = pytest.mark.django_db(transaction=True)

OWN = settings.PUBLIC_URL
HOST = OWN.partition("//")[2]
FOREIGN = [
    None,
    "",
    "null",
    "http://evil.example",
    f"{OWN}.evil.example",
    f"http://evil.example/{HOST}",
    OWN.replace("http://", "https://"),
    OWN.rpartition(":")[0],
    f"{OWN.rpartition(':')[0]}:1",
    OWN.replace("http://", "http://user@"),
    f"{OWN}/",
    OWN.replace("127.0.0.1", "localhost"),
    f"{OWN}, {OWN}",
    OWN.upper(),
]


@pytest.fixture
async def opened():
    sockets = []

    async def open_socket(**headers):
        sockets.append(Socket("/v2/ws/s", {name.replace("_", "-"): value for name, value in headers.items()}))
        return await sockets[-1].open()

    yield open_socket
    for each in sockets:
        await each.leave()


async def test_cookie_counts_from_our_own_origin(opened, ada):
    """W1"""
    socket = await opened(Cookie=await cookie_of(ada), Origin=OWN)
    assert await socket.stays()


@pytest.mark.parametrize("origin", FOREIGN)
async def test_cookie_from_anywhere_else_is_refused_before_the_socket_opens(opened, ada, origin):
    """W1: 403."""
    headers = {"Cookie": await cookie_of(ada)} | ({"Origin": origin} if origin is not None else {})
    assert not (await opened(**headers)).is_open


async def test_two_origins_are_none(ada):
    """W1"""
    socket = Socket("/v2/ws/s", {"Cookie": await cookie_of(ada)})
    socket.wire.scope["headers"] += [(b"origin", OWN.encode()), (b"origin", OWN.encode())]
    assert not (await socket.open()).is_open


@pytest.mark.parametrize("origin", [None, "http://evil.example"])
async def test_token_needs_no_origin(opened, ada, origin):
    """W1"""
    headers = {"Authorization": f"Bearer {await token_of(ada)}"} | ({"Origin": origin} if origin else {})
    assert await (await opened(**headers)).stays()


@pytest.mark.parametrize("offered", ["Bearer", "Bearer wrong", "bearer la_" + "x" * 43, "Bearer  "])
async def test_wrong_token_never_falls_back_to_the_cookie(opened, ada, offered):
    """W1"""
    socket = await opened(Authorization=offered, Cookie=await cookie_of(ada), Origin=OWN)
    assert await socket.refused() == ("unauthenticated", 4401)


@pytest.mark.parametrize("path", ["/v2/ws/s", "/nowhere"])
async def test_program_without_a_token_is_told_that_it_is_not_signed_in(db, path):
    socket = await Socket(path, {}).open()
    assert await socket.refused() == ("unauthenticated", 4401)
    await socket.leave()


@pytest.mark.parametrize("origin", [each for each in FOREIGN if each is not None])
async def test_foreign_origin_without_a_cookie_is_refused_before_the_socket_opens(opened, db, origin):
    """W1: 403."""
    assert not (await opened(Origin=origin)).is_open


@pytest.mark.parametrize("cookie", ["", "sessionid=", "sessionid=wrong", "sessionid=" + "x" * 5000, "sessionid=\x00"])
async def test_nobodys_cookie_is_not_signed_in(opened, db, cookie):
    socket = await opened(Cookie=cookie, Origin=OWN)
    assert await socket.refused() == ("unauthenticated", 4401)


async def test_cookie_of_an_anonymous_visitor_is_not_signed_in(opened, db):
    client = AsyncClient()
    session = await client.asession()
    session["seen"] = True
    await session.asave()
    socket = await opened(Cookie=f"{settings.SESSION_COOKIE_NAME}={session.session_key}", Origin=OWN)
    assert await socket.refused() == ("unauthenticated", 4401)


async def test_token_in_the_address_does_not_count_here(opened, ada):
    """`?token=` belongs to another surface."""
    token = await token_of(ada)
    socket = Socket(f"/v2/ws/s?token={token}", {"Origin": OWN})
    await socket.open()
    assert await socket.refused() == ("unauthenticated", 4401)
    await socket.leave()


async def test_error_frame_has_a_reference_and_no_detail(opened, db):
    socket = await opened(Origin=OWN)
    error = (await socket.frame())["error"]
    assert error.keys() == {"code", "message", "recoverable", "fallback_available", "ref"}
    assert len(error["ref"]) == 16


async def test_use_of_a_token_is_noted(opened, ada):
    socket = await opened(Authorization=f"Bearer {await token_of(ada)}")
    assert await socket.stays()
    assert (await ApiToken.objects.aget()).last_used_at
