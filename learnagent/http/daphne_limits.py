"""Daphne with bounds: a client that sends faster than it is heard waits, and what one does not read is counted."""

import asyncio
import io
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.abstract import FileDescriptor

from agents.wire.rejections import Rejection
from learnagent.http.body_limits import Headers, admit, find_rejection, is_large_body, release
from learnagent.http.request_timeout import TimedHTTPChannel, error_bytes

Application = Callable[..., Awaitable[None]]

FRAME_BYTES = 1 << 20
"""The longest frame or message that a socket reads; text has a lower limit of its own."""
CLOSE_TIMEOUT_S = 5
"""Seconds that a client gets to receive the close: if the socket is cut off at once, the last message is lost."""
SEND_BUFFER_BYTES = 128 * 1024
"""How many unread bytes of a socket the system may hold; it doubles the number. If unset, it grows to megabytes."""
SHORT_BYTES, MEDIUM_BYTES = 125, 0xFFFF
"""The longest payloads whose length fits in a frame's second byte, and in the two bytes after it."""

LINGER_TIMEOUT_S = 1.0
"""Seconds that a client may go on sending after its body was rejected; what it sends is discarded."""

DISCARD_DELAY_S = 0.05
"""Seconds between two reads of what it sends meanwhile."""


class BoundedProtocol(WebSocketProtocol):
    """A socket that reads no further frame while the application has one to take."""

    reading = True
    write_due = False

    def onConnect(self, request: Any) -> Any:
        self.transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self.transport.startWriting = self.schedule_write
        return super().onConnect(request)

    def handle_reply(self, message: dict[str, Any]) -> None:
        if message.get("type") == "websocket.accept" and message.get("headers"):
            # Daphne drops these headers. Autobahn takes both as one value.
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
            self.serverAccept((message.get("subprotocol"), headers))
        else:
            super().handle_reply(message)

    def onClose(self, *how: Any) -> None:
        # A transport that names its protocol and is named by it would stay until the garbage is looked through.
        self.transport.__dict__.pop("startWriting", None)
        super().onClose(*how)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:
        """Send a message; a text of usual length straight away, as Autobahn words a log line nobody reads for each."""
        if isinstance(content, str) and self.state == self.STATE_OPEN and self._perMessageCompress is None:
            payload = content.encode()
            if len(payload) <= MEDIUM_BYTES:
                self.transport.write(text_frame(payload))
                return
        super().serverSend(content, binary)

    def schedule_write(self) -> None:
        """Write at the end of this round of the loop what comes until then.

        A socket can nearly always be written to: to have the selector tell so each time costs two calls of the system
        and a round of the loop. Only for what the system did not take it is asked.
        """
        if not self.write_due:
            self.write_due = True
            asyncio.get_running_loop().call_soon(self._write)

    def _write(self) -> None:
        self.write_due = False
        transport = self.transport
        if not transport.connected:
            return
        transport.reactor._readOrWrite(transport, False)
        if transport.connected and (transport.dataBuffer or transport._tempDataLen):
            FileDescriptor.startWriting(transport)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if self.state == self.STATE_OPEN:
            super().onMessage(payload, isBinary)
        elif self.reading:
            # Who is being shown out is not heard any more, only read past, and not in a hurry, for their farewell.
            asyncio.get_running_loop().call_later(DISCARD_DELAY_S, self.read_on)
        if self.reading:
            self.reading = False
            self.transport.pauseProducing()

    def _max_message_size_exceeded(self, *args: object) -> None:
        """Read no more of a frame that is too large, and let the application say so: as a frame that it refuses."""
        self.failedByMe = True
        self.application_queue.put_nowait({"type": "websocket.receive", "bytes": bytes(FRAME_BYTES)})

    def read_on(self) -> None:
        """Read the next frame once the application has taken the last."""
        if not self.reading and self.application_queue.empty():
            self.reading = True
            self.transport.resumeProducing()

    def unread_bytes(self) -> int:
        """Return the bytes that wait in this process until the client reads what came before them."""
        transport = self.transport
        if transport.disconnected:
            return 0
        waiting: int = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
        return waiting


def text_frame(payload: bytes) -> bytes:
    """Return a server's whole text frame of MEDIUM_BYTES at most."""
    length = len(payload)
    head = struct.pack("!BB", 0x81, length) if length <= SHORT_BYTES else struct.pack("!BBH", 0x81, 126, length)
    return head + payload


class BoundedRequest(WebRequest):
    """A request whose body is looked at before it comes: Daphne keeps all of one on the disk before it tells anybody."""

    content: Any
    """The body's file, as Twisted sets it; None once it was discarded."""

    refused = False
    sender: int | None = None
    """Who sent this large body; set from when it may be read until the end of the response."""
    looking: asyncio.Task[None] | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        # Twisted would take each form apart in the event loop, for nobody: the application does so itself.
        super().__init__(*args, parsePOSTFormSubmission=False, **options)

    def gotLength(self, length: int | None) -> None:
        headers = [(name.lower(), value) for name, all in self.requestHeaders.getAllRawHeaders() for value in all]
        path = unquote(self.channel._path.partition(b"?")[0].decode("latin-1"))
        rejection = find_rejection(headers, path)
        if rejection is not None:
            self._refuse(rejection, headers)
            return
        super().gotLength(length)
        if is_large_body(headers):
            # Nothing more is read meanwhile than what came together with the head.
            self.channel._networkProducer.pauseProducing()
            self.looking = asyncio.get_running_loop().create_task(self._look(headers, path))

    async def _look(self, headers: Headers, path: str) -> None:
        """Read on where somebody is signed in who may send so much."""
        admitted = await admit(headers, path)
        if self.channel is None:  # They have gone in the meantime.
            if not isinstance(admitted, Rejection):
                release(admitted)
            return
        if isinstance(admitted, Rejection):
            self._refuse(admitted, headers)
        else:
            self.sender = admitted
        self.channel._networkProducer.resumeProducing()

    def _refuse(self, rejection: Rejection, headers: Headers) -> None:
        if self.content is not None:
            self.content.close()
        self.refused = True
        self.content = io.BytesIO()
        self.channel.is_refused = True
        # Nobody is asked to go on after their answer.
        self.requestHeaders.removeHeader(b"Expect")
        self.channel.transport.write(error_bytes(rejection, headers))
        # One that is cut off while it still sends loses what it was told.
        asyncio.get_running_loop().call_later(LINGER_TIMEOUT_S, self.channel.loseConnection)

    def finish(self) -> None:
        self._leave()
        super().finish()

    def connectionLost(self, reason: Any) -> None:
        self._leave()
        super().connectionLost(reason)

    def _leave(self) -> None:
        if self.sender is not None:
            release(self.sender)
            self.sender = None

    def handleContentChunk(self, data: bytes) -> None:
        if not self.refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        if not self.refused:
            super().requestReceived(command, path, version)


class BoundedServer(Server):
    """Daphne, but for large bodies, which it refuses, and for its sockets.

    They wait for the application, and it may ask how far their clients lag behind.

    A socket's scope has `unread_bytes`, a function without arguments.
    """

    def __init__(self, application: Application, **options: Any) -> None:
        super().__init__(
            flow_control_middleware(application),
            ready_callable=self._bind,
            websocket_max_message_size=FRAME_BYTES,
            websocket_max_frame_size=FRAME_BYTES,
            **options,
        )

    def _bind(self) -> None:
        self.http_factory.protocol = TimedHTTPChannel
        self.http_factory.buildProtocol = self._channel
        self.ws_factory.protocol = BoundedProtocol
        self.ws_factory.setProtocolOptions(closeHandshakeTimeout=CLOSE_TIMEOUT_S)

    def _channel(self, address: Any) -> Any:
        channel = HTTPFactory.buildProtocol(self.http_factory, address)
        channel.requestFactory = BoundedRequest
        return channel

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if isinstance(protocol, BoundedRequest):
            scope |= {"is_bounded": True}
        if isinstance(protocol, BoundedProtocol):
            scope |= {"unread_bytes": protocol.unread_bytes, "read_on": protocol.read_on}
        return super().create_application(protocol, scope)


def flow_control_middleware(application: Application) -> Application:
    """Return the application with a `receive` that lets a socket's client send on."""

    async def bounded(scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        read_on = scope.pop("read_on", None)

        async def receive_and_read_on() -> Any:
            message = await receive()
            read_on()
            return message

        await application(scope, receive_and_read_on if read_on else receive, send)

    return bounded
