"""Socket addresses, and who may open one: a token, or the session cookie from our own origin."""

from typing import Any
from urllib.parse import parse_qs

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http import parse_cookie
from django.urls import path, re_path

from agents.wire.rejections import log_refusal
from conversations.v1.socket import SingleAgentConsumer
from conversations.web.consumers import JsonConsumer, LiveConsumer, NotFoundConsumer
from conversations.web.round_table_socket import TableConsumer
from learnagent.accounts.authentication.api_tokens import bearer_token, person_for_token
from learnagent.accounts.authentication.sessions import person_of_session
from learnagent.api.bearer_tokens import socket_accepts_tokens
from learnagent.api.deprecation import Application, deprecated_socket
from learnagent.http.correlation_ids import new_ref

QUERY_TOKEN_PREFIX = "/ws/"

urlpatterns = [
    path("round-table/<uuid:table>/live", TableConsumer.as_asgi(), name="live-table"),
    path("live/<path:key>", LiveConsumer.as_asgi(), name="live"),
    path("v2/ws/<path:key>", JsonConsumer.as_asgi()),
    path("ws/<path:key>", deprecated_socket(SingleAgentConsumer.as_asgi())),
    re_path("", NotFoundConsumer.as_asgi()),
]


class SocketAuthentication:
    """Gives a socket `identify`, which reads from the database who it belongs to, each time it is asked.

    A socket opened with a token never falls back to the cookie, and a page's socket takes none. One opened with the
    cookie must come from `PUBLIC_URL`, scheme and port included: the origin is what stands between a foreign page and
    the cookie. A program that sends neither a token, nor a cookie, nor an origin is nobody, and is told so.
    """

    def __init__(self, inner: Application) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope = {**scope, "ref": new_ref()}
        token = bearer_token(scope["headers"])
        if token is None:
            token = query_token(scope["path"], scope.get("query_string", b""))
            if token is not None:
                # Nothing further in may write it down.
                scope["query_string"] = b""
        if token is not None:
            counts = socket_accepts_tokens(scope["path"])
            scope["identify"] = lambda: person_for_token(token) if counts else None
        elif _header(scope, b"origin") == settings.PUBLIC_URL or not _has_header(scope, b"origin", b"cookie"):
            session_key = parse_cookie(_header(scope, b"cookie")).get(settings.SESSION_COOKIE_NAME, "")
            scope["identify"] = lambda: person_of_session(session_key)
        else:
            log_refusal("socket_refused", status=403, code="forbidden")
            await WebsocketDenier()(scope, receive, send)
            return
        await self.inner(scope, receive, send)


def query_token(path: str, query: bytes) -> str | None:
    """Return what `?token=` carries on the v1 socket, whose clients in browsers can send no header; None elsewhere.

    Whatever was given is returned, more than one of them as one that is nobody's.
    """
    if not path.startswith(QUERY_TOKEN_PREFIX):
        return None
    values = parse_qs(query.decode("latin-1"), keep_blank_values=True).get("token")
    return ",".join(values) if values else None


def _has_header(scope: dict[str, Any], *names: bytes) -> bool:
    return any(key.lower() in names for key, _ in scope["headers"])


def _header(scope: dict[str, Any], name: bytes) -> str:
    values = [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]
    return values[0] if len(values) == 1 else ""


application = SocketAuthentication(URLRouter(urlpatterns))
