"""Twisted's HTTP connection with an end to how long a request may take to come, however it drips."""

from http import HTTPStatus
from typing import Any

from twisted.web.http import HTTPChannel

from agents.wire.rejections import Rejection
from learnagent.http.body_limits import Headers, error_response, slow_body_rejection, time_allowed

HEAD_TIMEOUT_S = 20
"""Seconds from a request's first byte to the end of its head."""
IDLE_TIMEOUT_S = 60
"""Seconds that a connection may stay open without a request."""


def error_bytes(rejection: Rejection, request: Headers = ()) -> bytes:
    """Return the whole response that refuses a request with these headers."""
    status, head, body = error_response(rejection, request)
    lines = [b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode()), *map(b": ".join, head), b"", body]
    return b"\r\n".join(lines)


class TimedHTTPChannel(HTTPChannel):
    """A connection whose time limits count from the beginning of a head or body, not from its latest byte."""

    has_begun = False
    """Whether a request has been received in part."""
    is_refused = False
    """Whether the last request was answered before all of it was received."""

    def connectionMade(self) -> None:
        self.timeOut = IDLE_TIMEOUT_S
        super().connectionMade()

    def resetTimeout(self) -> None:
        """Count on. Twisted would begin anew with every byte."""

    def dataReceived(self, data: bytes) -> None:
        if not self.has_begun and not self._handlingRequest:
            self.has_begun = True
            self.setTimeout(HEAD_TIMEOUT_S)
        super().dataReceived(data)

    def allHeadersReceived(self) -> None:
        super().allHeadersReceived()
        if self.length:
            self.setTimeout(time_allowed(self.length))

    def allContentReceived(self) -> None:
        self.has_begun = False
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:
        super().requestDone(request)
        if self.persistent and not self.requests and not self.has_begun:
            self.setTimeout(IDLE_TIMEOUT_S)

    def timeoutConnection(self) -> None:
        if self.has_begun and not self.is_refused:
            self.transport.write(error_bytes(slow_body_rejection()))
        super().timeoutConnection()
