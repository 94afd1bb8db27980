"""RunConsumer: base class of WebSocket consumers. Starts, streams and stops runs through hooks of its subclasses."""

import asyncio
import uuid
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as AnyDatabaseError
from django.utils.translation import gettext as _
from structlog.contextvars import bind_contextvars

from agents import tracing
from agents.conf import agent_settings
from agents.event_log import get_logger
from agents.sockets.frames import MAX_FRAME_CHARACTERS, Ping, Resume, Say, Seen, Stop, parse_frame, parse_json
from agents.sockets.socket_quota import SocketQuota, close_socket, open_socket
from agents.storage.availability import UNAVAILABLE_ERRORS, database, log_database_error
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from agents.wire.rejections import Rejection, log_refusal

logger = get_logger(__name__)

Wire = dict[str, Any]

SESSION_CHECK_S = 20.0
"""Interval in seconds at which an idle socket checks that its person is still signed in."""
MAX_UNSEEN_BYTES = 256 * 1024
"""Most bytes a client may leave unacknowledged or unread before the server pauses."""
WRITE_GRACE_S = 0.05
"""After this time, what a client reads has been written to the network; until then the server buffers it."""
ENDED_KEPT = 4
"""The ended runs that a socket still knows: a client may acknowledge the last events of one, or send its message again."""
CLOSE_CODES = {400: 4400, 401: 4401, 403: 4403, 404: 4404, 413: 4413, 429: 4429, 503: 1000}
"""By the rejection's status. 1000 is the only code Daphne can send that makes a page reconnect by itself."""


@dataclass(slots=True)
class SendWindow:
    """What was sent of one turn over this socket and not yet acknowledged."""

    sent: int = 0
    seen: int = 0
    is_over: bool = False
    """Whether the run's end was sent."""
    furthest: int = 0
    """The highest number ever sent: after a run restarts, acknowledgements of discarded events may still arrive."""
    unseen: deque[tuple[int, int]] = field(default_factory=deque)
    unseen_bytes: int = 0

    def add(self, seq: int, size: int) -> None:
        """Record what was sent; a quick client may have acknowledged it already."""
        if seq > self.seen:
            self.unseen.append((seq, size))
            self.unseen_bytes += size
        # For a client that never acknowledges, older events need not be remembered: it is over the limit anyway.
        while self.unseen and self.unseen_bytes - self.unseen[0][1] > MAX_UNSEEN_BYTES:
            self.unseen_bytes -= self.unseen.popleft()[1]

    def begin(self, seq: int) -> None:
        """Record that events follow from this number on; those sent with higher numbers are void."""
        self.furthest = max(self.furthest, self.sent)
        if seq > self.sent:
            return
        self.sent, self.seen = seq - 1, min(self.seen, seq - 1)
        while self.unseen and self.unseen[-1][0] >= seq:
            self.unseen_bytes -= self.unseen.pop()[1]

    def acknowledge(self, seq: int) -> None:
        """Record an acknowledgement. Raises Rejection if it is impossible."""
        if not self.seen <= seq <= max(self.sent, self.furthest):
            raise rejections.invalid("seq", _("This event was not sent, or you have already acknowledged a later one."))
        self.seen = seq = min(seq, self.sent)
        while self.unseen and self.unseen[0][0] <= seq:
            self.unseen_bytes -= self.unseen.popleft()[1]


class RunConsumer(AsyncWebsocketConsumer):
    """A socket over which a person starts, follows and stops runs.

    `scope["identify"]` is a function that returns the signed-in person, read from the database at each call.
    `scope["unread_bytes"]` returns how much of what was sent still waits in the server; it is missing if the server's
    `send` waits for the client itself.
    """

    acknowledges: ClassVar[bool] = False
    """Whether these clients always acknowledge; others are held to it from their first `seen` on."""
    repeats: ClassVar[bool] = False
    """Whether a message sent again on the same socket streams its finished run once more."""
    max_frame_characters: ClassVar[int] = MAX_FRAME_CHARACTERS
    """The longest frame of text, of any type."""
    events_at_once: ClassVar[int] = 1
    """Most events shown in one batch, between two checks of how far the client lags behind."""

    guard: asyncio.Task[None] | None = None
    presence: SocketQuota | None = None
    """The person's quota over all their sockets; None if this socket was not accepted."""

    # --- Hooks ---

    async def entered(self) -> None:
        """Check what the URL names. Raises Rejection to refuse the socket."""

    async def start(self, frame: Say) -> uuid.UUID:
        """Start a run for the signed-in person's message; return its id. Raises Rejection 401 if signed out."""
        raise NotImplementedError

    def watch(self, turn_id: uuid.UUID, *, after: int) -> AsyncIterator[list[Wire]]:
        """Yield the run's events above `after` until it ends."""
        raise NotImplementedError

    async def stop(self, turn_id: uuid.UUID | None) -> None:
        """Stop a run."""
        raise NotImplementedError

    async def find(self, turn_id: uuid.UUID | None) -> uuid.UUID:
        """Return the run's id, the latest run if none is named. Raises Rejection 404 for other people's runs."""
        raise NotImplementedError

    # --- How this surface shows things ---

    def frame_of(self, raw: str) -> Say | Stop | Resume | Seen | Ping:
        return parse_frame(parse_json(raw))

    def most_characters(self, frame: Any) -> int:
        """Return how long a frame of this type may be."""
        return self.max_frame_characters

    async def show(self, events: list[Wire]) -> int:
        """Send a batch of events; return the characters sent."""
        raise NotImplementedError

    async def show_rejection(self, rejection: Rejection) -> None:
        raise NotImplementedError

    async def show_refetch(self, turn_id: uuid.UUID, after: int) -> None:
        raise NotImplementedError

    async def show_pong(self) -> None:
        raise NotImplementedError

    # --- The socket ---

    async def dispatch(self, message: dict[str, Any]) -> None:
        # As in the generic consumer, but without a hop to the database thread: queries manage their own connections.
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def connect(self) -> None:
        self.watching: dict[uuid.UUID, asyncio.Task[None]] = {}
        self.windows: dict[uuid.UUID, SendWindow] = {}
        self.refused = False
        await self.accept()
        try:
            self.person = await in_orm_thread(self.identified)()
            bind_contextvars(person=self.person.pk)
            self.presence = open_socket(self.person.pk, sockets_at_once=agent_settings().sockets_at_once)
            if self.presence is None:
                raise rejections.rate_limited(
                    _("You have this page open in too many tabs. Close some of them."), retry_after_s=10
                )
            await self.entered()
        except Rejection as rejection:
            await self.refuse(rejection)
        except UNAVAILABLE_ERRORS as error:
            database.failed(error)
            await self.refuse(rejections.unavailable(_("The connection can’t be opened right now. We’ll keep trying.")))
        else:
            self.guard = asyncio.create_task(self._guard())

    async def disconnect(self, code: int) -> None:
        for task in (*self.watching.values(), self.guard):
            if task is not None:
                task.cancel()
        if self.presence is not None:
            close_socket(self.presence)

    async def refuse(self, rejection: Rejection) -> None:
        """Send the reason, then close with the matching code; pending events are dropped."""
        self.refused = True
        log_refusal("socket_refused", status=rejection.status, code=rejection.code)
        for task in self.watching.values():
            task.cancel()
        # Servers raise it if the client has gone: nobody is left to tell.
        with suppress(OSError):
            await self.show_rejection(rejection)
            await self.close(code=CLOSE_CODES.get(rejection.status, 4400))

    async def gone(self, message: Mapping[str, Any]) -> None:
        """Channel layer handler: what the URL names no longer exists."""
        if not self.refused:
            await self.refuse(rejections.not_found())

    def identified(self) -> Any:
        """Return the signed-in person. Raises Rejection 401 if nobody is signed in any more. Queries the database."""
        person = self.scope["identify"]()
        if person is None:
            raise rejections.unauthenticated()
        return person

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.refused:
            return None
        if self.presence is not None and self.presence.is_flooding():
            return await self.refuse(rejections.rate_limited(_("You sent too many frames at once."), retry_after_s=10))
        if len(text_data or "") > self.max_frame_characters or len(bytes_data or b"") > MAX_FRAME_CHARACTERS:
            return await self.refuse(_frame_too_large())
        try:
            if text_data is None:
                raise rejections.unreadable(_("Send text, not bytes."))
            frame = self.frame_of(text_data)
            if len(text_data) > self.most_characters(frame):
                return await self.refuse(_frame_too_large())
            await self.handle(frame)
        except Rejection as rejection:
            await self.tell(rejection)
        except AnyDatabaseError as error:
            log_database_error("frame_not_stored", error)
            await self.refuse_frame(rejections.unavailable(_("This was not saved. Send it again in a moment.")))
        # Answers can pile up too: a client that does not read them gets no further request served.
        await self.room()
        return None

    async def tell(self, rejection: Rejection) -> None:
        """Send why a frame was rejected; if the person is signed out, send only that."""
        with suppress(AnyDatabaseError):
            try:
                self.person = await in_orm_thread(self.identified)()
            except Rejection as nobody:
                rejection = nobody
        if rejection.status == 401:
            await self.refuse(rejection)
        else:
            await self.refuse_frame(rejection)

    async def refuse_frame(self, rejection: Rejection) -> None:
        log_refusal("frame_refused", status=rejection.status, code=rejection.code)
        await self.show_rejection(rejection)

    # --- A client that lags behind ---

    def unread_bytes(self) -> int:
        return int(self.scope["unread_bytes"]()) if "unread_bytes" in self.scope else 0

    async def lags(self, window: SendWindow) -> bool:
        """Return whether too much of what was sent is unacknowledged or unread."""
        if (self.acknowledges or window.seen) and window.unseen_bytes > MAX_UNSEEN_BYTES:
            return True
        if self.unread_bytes() <= MAX_UNSEEN_BYTES:
            return False
        await asyncio.sleep(WRITE_GRACE_S)
        return self.unread_bytes() > MAX_UNSEEN_BYTES

    async def room(self) -> None:
        """Wait until the client has read all but half of what may be pending."""
        while self.unread_bytes() > MAX_UNSEEN_BYTES // 2:  # noqa: ASYNC110  # A transport tells nobody.
            await asyncio.sleep(WRITE_GRACE_S)

    async def _guard(self) -> None:
        """Close the socket when its person may no longer read it, even if they send nothing."""
        while not self.refused:
            await asyncio.sleep(SESSION_CHECK_S)
            try:
                await in_orm_thread(self.identified)()
            except Rejection as rejection:
                await self.refuse(rejection)
            except AnyDatabaseError as error:
                log_database_error("session_not_checked", error)

    async def handle(self, frame: Say | Stop | Resume | Seen | Ping) -> None:
        # The person who starts a run is read in the transaction that stores it, which saves a query.
        if not isinstance(frame, Say):
            self.person = await in_orm_thread(self.identified)()
        match frame:
            case Say():
                with tracing.span("socket message", {}, serves=True):
                    run_id = await self.start(frame)
                self.follow(run_id, after=0, anew=self.repeats and self.has_ended(run_id))
            case Stop():
                await self.stop(frame.turn_id)
            case Resume():
                self.follow(await self.find(frame.turn_id), after=frame.after, anew=True)
            case Seen():
                if (window := self.windows.get(frame.turn_id)) is not None:
                    window.acknowledge(frame.seq)
                else:
                    # A run of the person that this socket has not sent: nothing to record, and no error.
                    await self.find(frame.turn_id)
            case Ping():
                await self.show_pong()

    def has_ended(self, run_id: uuid.UUID) -> bool:
        """Return whether this socket has sent the run to its end, or sends no more of it."""
        if (running := self.watching.get(run_id)) is None:
            return False
        # The task ends a moment after the client gets the last event; by then the message may have been sent again.
        return running.done() or self.windows[run_id].is_over

    def follow(self, turn_id: uuid.UUID, *, after: int, anew: bool = False) -> None:
        """Send the run's events from now on; a run already followed is unchanged unless `anew` is set."""
        running = self.watching.get(turn_id)
        if running is not None:
            if not anew:
                return
            running.cancel()
        self.windows[turn_id] = SendWindow(sent=after, seen=0)
        self.watching[turn_id] = asyncio.create_task(self._follow(turn_id, after))
        self._forget_ended()

    def _forget_ended(self) -> None:
        """Drop what is kept of all but the latest ended runs: a socket can be open for days."""
        ended = [turn_id for turn_id, following in self.watching.items() if following.done()]
        for turn_id in ended[:-ENDED_KEPT]:
            del self.watching[turn_id], self.windows[turn_id]

    async def _follow(self, turn_id: uuid.UUID, after: int) -> None:
        window = self.windows[turn_id]
        try:
            if await self._push(turn_id, window, after):
                return
            # For a client that does not acknowledge, unread events are on their way and not sent again.
            reached = window.seen if self.acknowledges or window.seen else window.sent
        except asyncio.CancelledError:
            raise
        except Exception:
            # Nobody awaits this task: without the log a socket would go silent for no visible reason.
            logger.exception("events_not_sent", turn_id=turn_id)
            reached = window.seen
        with suppress(Exception):
            await self.room()
            await self.show_refetch(turn_id, reached)

    async def _push(self, turn_id: uuid.UUID, window: SendWindow, after: int) -> bool:
        """Send the run's events; return true if sent to the end, false if the client lags behind."""
        async for batch in self.watch(turn_id, after=after):
            for start in range(0, len(batch), self.events_at_once):
                if await self.lags(window):
                    return False
                portion = batch[start : start + self.events_at_once]
                window.begin(portion[0]["seq"])
                # Recorded before sending: a client can answer before `send` returns.
                window.sent = portion[-1]["seq"]
                window.is_over = portion[-1]["type"] == "turn_finished"
                window.add(window.sent, await self.show(portion))
        return True


def without_fields(content: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return the fields without the named ones."""
    return {name: value for name, value in content.items() if name not in names}


def _frame_too_large() -> Rejection:
    return rejections.too_large(_("This frame is too large."))
