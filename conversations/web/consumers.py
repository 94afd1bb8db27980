"""WebSocket consumers of a conversation: JSON for any client, HTML fragments for the page."""

import json
import uuid
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from django.utils.translation import gettext as _

from agents.sockets.consumers import RunConsumer, Wire, without_fields
from agents.sockets.frames import Ping, Resume, Say, Seen, Stop, parse_frame, parse_json
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations import access, validators
from conversations.cards import add_card_texts
from conversations.library import attached_documents
from conversations.models import Session, Turn
from conversations.turns import begin, fault_injection, notices, stream, whole_turns
from conversations.turns.supervisor import supervisor
from conversations.web import fragments, presentation

as_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class SessionConsumer(RunConsumer):
    """A socket of one session: starts its turns and follows them, including turns of other tabs and processes."""

    group: str | None = None

    @property
    def key(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["key"])

    async def start(self, frame: Say) -> uuid.UUID:
        attachments = attached_documents.validate_ids(frame.attachments)
        text = validators.validate_text(frame.text)
        client_id = validators.validate_client_id(frame.client_id) if frame.client_id is not None else None
        said = {"text": text, "attachments": attachments, "client_id": client_id, "replaces": frame.replaces}
        said |= {"board": frame.board, "unseen": frame.unseen}
        unit = partial(self.begin, said, claimed=supervisor.has_room())
        accepted = await whole_turns.start_turn(unit)
        self.person = accepted.turn.owner
        return accepted.turn.pk

    def begin(self, said: Mapping[str, Any], *, claimed: bool) -> begin.AcceptedTurn:
        return begin.begin_turn(owner=self.learner(), session_key=self.key, claimed=claimed, **said)

    def learner(self) -> Any:
        """Return the person who starts a turn now. Queries the database. Raises Rejection if nobody may."""
        return self.identified()

    def watch(self, turn_id: uuid.UUID, *, after: int) -> AsyncIterator[list[Wire]]:
        return stream.watch(turn_id, after=after)

    async def stop(self, turn_id: uuid.UUID | None) -> None:
        turn = await in_orm_thread(self.own_turn)(turn_id)
        if not turn.is_open:
            raise rejections.Rejection("not_found", _("That reply is already finished."), status=404)
        await supervisor.stop_anywhere(turn.pk)

    async def find(self, turn_id: uuid.UUID | None) -> uuid.UUID:
        turn = await in_orm_thread(self.own_turn)(turn_id)
        return turn.pk

    def own_turn(self, turn_id: uuid.UUID | None) -> Turn:
        """Return a turn of this socket's session. Raises Rejection 404 for any other."""
        if turn_id is None:
            return access.latest_turn_for(self.person, self.key)
        turn = access.turn_for(self.person, turn_id)
        if turn.session.key != self.key:
            raise rejections.not_found()
        return turn

    async def listen(self) -> None:
        """Subscribe to the turns that other tabs start in this session."""
        self.group = notices.session_group(self.person.pk, self.key)
        await self.channel_layer.group_add(self.group, self.channel_name)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def turn_begun(self, message: dict[str, Any]) -> None:
        turn_id = uuid.UUID(message["turn_id"])
        if turn_id not in self.watching:
            self.follow(turn_id, after=0)

    async def noticed(self, message: dict[str, Any]) -> None:
        """Notice that the team has found something; a JSON client gets it with the next turn."""

    async def remarked(self, message: dict[str, Any]) -> None:
        """Notice that the learner has said something to a round table; its own page shows it."""


class JsonConsumer(SessionConsumer):
    """`/v2/ws/{session_id}`: one event per frame, as listed in docs/reference/api.md."""

    repeats = True

    async def entered(self) -> None:
        validators.validate_session_key(self.key)
        await self.listen()

    def learner(self) -> Any:
        person = super().learner()
        access.require_scope(person, "converse")
        access.require_enabled(person, self.key)
        return person

    async def stop(self, turn_id: uuid.UUID | None) -> None:
        access.require_scope(self.person, "converse")
        await super().stop(turn_id)

    async def find(self, turn_id: uuid.UUID | None) -> uuid.UUID:
        access.require_scope(self.person, "read")
        return await super().find(turn_id)

    async def turn_begun(self, message: dict[str, Any]) -> None:
        if "read" in self.person.scopes:
            await super().turn_begun(message)

    async def send_json(self, content: Any) -> int:
        text = as_text(content)
        # Sent directly to the server: every event of a turn passes here.
        await self.base_send({"type": "websocket.send", "text": text})
        return len(text)

    async def show(self, events: list[Wire]) -> int:
        size = 0
        if any(wire["type"] == "card" for wire in events):
            events = await in_orm_thread(add_card_texts)(events, self.person)
        for wire in events:
            size += await self.send_json(wire)
            if wire["type"] == "turn_started":
                await fault_injection.kill_point_after_send("after_ack")
        return size

    async def show_rejection(self, rejection: Rejection) -> None:
        await self.send_json({"type": "error"} | rejection.as_wire(ref=self.scope["ref"]))

    async def show_refetch(self, turn_id: uuid.UUID, after: int) -> None:
        await self.send_json({"type": "refetch", "turn_id": str(turn_id), "after": after})

    async def show_pong(self) -> None:
        await self.send_json({"type": "pong"})


class NotFoundConsumer(JsonConsumer):
    """Any other URL."""

    async def entered(self) -> None:
        raise rejections.not_found()


class LiveConsumer(SessionConsumer):
    """`/live/{id}`: the same events as HTML fragments for the conversation's page."""

    acknowledges = True
    events_at_once = 100

    async def entered(self) -> None:
        session = await in_orm_thread(access.session_for)(self.person, self.key)
        await self.listen()
        self.view = fragments.LiveView(session.pk)
        await self.catch_up(session, *resumed_from(self.scope["query_string"]))

    async def catch_up(self, session: Session, turn_id: uuid.UUID | None, after: int) -> None:
        """Follow the page's last turn from its position, and the later turns that a page would show."""
        later = session.turns.filter(replaced_by=None)
        if turn_id is not None:
            turn = await in_orm_thread(self.own_turn)(turn_id)
            self.follow(turn.pk, after=after)
            later = later.filter(number__gt=turn.number)
        latest = later.order_by("-number").values_list("pk", flat=True)[: presentation.TURNS_SHOWN]
        for pk in reversed(await in_orm_thread(list)(latest)):
            self.follow(pk, after=0)

    def frame_of(self, raw: str) -> Say | Stop | Resume | Seen | Ping:
        content = without_fields(parse_json(raw), "HEADERS", "csrfmiddlewaretoken")
        action = content.pop("action", None)
        return parse_frame({"type": "message" if action == "say" else action} | content)

    async def show(self, events: list[Wire]) -> int:
        html = await self.view.html_of(events, person=self.person)
        await self.send(text_data=html)
        if any(wire["type"] == "turn_started" for wire in events):
            await fault_injection.kill_point_after_send("after_ack")
        return len(html)

    async def noticed(self, message: dict[str, Any]) -> None:
        await self.send(text_data=await in_orm_thread(self.view.noticed)())

    async def show_rejection(self, rejection: Rejection) -> None:
        await self.send(text_data=fragments.error(rejection))

    async def show_refetch(self, turn_id: uuid.UUID, after: int) -> None:
        await self.send(text_data=fragments.refetch(turn_id, after))

    async def show_pong(self) -> None:
        await self.send(text_data=fragments.pong())


def resumed_from(query: bytes) -> tuple[uuid.UUID | None, int]:
    """Return the turn and event number that the page has reached. Raises Rejection for an invalid query."""
    values = parse_qs(query.decode("latin-1"))
    if "turn" not in values:
        return None, 0
    try:
        after = int(values.get("after", ["0"])[0])
        turn = uuid.UUID(values["turn"][0])
    except ValueError:
        raise rejections.not_found() from None
    return turn, max(0, min(after, 2**31))
