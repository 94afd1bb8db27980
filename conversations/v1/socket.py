"""The v1 socket: a message in, the whole reply out."""

import uuid
from collections.abc import Mapping
from typing import Any

from agents.sockets.consumers import Wire
from agents.sockets.frames import MAX_FRAME_CHARACTERS, Ping, Say, parse_json
from agents.storage.threads import in_orm_thread
from agents.wire.rejections import Rejection
from conversations import access, validators
from conversations.panel.single_agent import SINGLE_AGENT_KEY
from conversations.turns import begin, whole_turns
from conversations.v1.conversation import read_answer, summarize
from conversations.v1.frames import End, SayAudio, SayText, parse_v1_frame
from conversations.v1.spoken import spoken_text
from conversations.web.consumers import SessionConsumer, as_text

MAX_AUDIO_FRAME_CHARACTERS = 1 << 20


class SingleAgentConsumer(SessionConsumer):
    """`/ws/{session_id}`: one agent answers each message of this socket; other tabs' turns are not told."""

    max_frame_characters = MAX_AUDIO_FRAME_CHARACTERS

    async def entered(self) -> None:
        validators.validate_session_key(self.key)
        # For the notice that the conversation was deleted.
        await self.listen()

    def frame_of(self, raw: str) -> Any:
        return parse_v1_frame(parse_json(raw))

    def most_characters(self, frame: Any) -> int:
        return MAX_AUDIO_FRAME_CHARACTERS if isinstance(frame, SayAudio) else MAX_FRAME_CHARACTERS

    def learner(self) -> Any:
        person = super().learner()
        access.require_scope(person, "converse")
        return person

    def begin(self, said: Mapping[str, Any], *, claimed: bool) -> begin.AcceptedTurn:
        return super().begin({**said, "payload": {SINGLE_AGENT_KEY: True}}, claimed=claimed)

    async def handle(self, frame: Any) -> None:
        match frame:
            case SayText():
                await self.say(frame.text)
            case SayAudio():
                # Checked before the recording is sent anywhere; `begin` checks again.
                self.person = await in_orm_thread(self.learner)()
                await self.say(await spoken_text(self.person, frame.audio, field="audio"))
            case End():
                self.person = await in_orm_thread(self.identified)()
                access.require_scope(self.person, "read")
                await self.send_json({"type": "summary", "text": await in_orm_thread(summarize)(self.person, self.key)})
            case Ping():
                await super().handle(frame)

    async def say(self, text: str) -> None:
        self.follow(await self.start(Say(type="message", text=text)), after=0)

    async def turn_begun(self, message: dict[str, Any]) -> None:
        """Tell nothing: a v1 client expects one response for each of its own messages."""

    async def show(self, events: list[Wire]) -> int:
        for wire in events:
            if wire["type"] == "turn_finished":
                return await self.show_answer(uuid.UUID(wire["turn_id"]))
        return 0

    async def show_answer(self, turn_id: uuid.UUID) -> int:
        answer = await in_orm_thread(read_answer)(self.person, turn_id)
        fields = {"user_text": answer.user_text, "agent_text": answer.agent_text, "intent": answer.intent}
        return await self.send_json({"type": "response"} | fields)

    async def show_refetch(self, turn_id: uuid.UUID, after: int) -> None:
        # A v1 client cannot ask for events again, so it gets the answer as soon as it has read what came before.
        await whole_turns.wait_for_end(turn_id)
        await self.show_answer(turn_id)

    async def show_rejection(self, rejection: Rejection) -> None:
        await self.send_json({"type": "error", "message": rejection.message} | rejection.as_wire(ref=self.scope["ref"]))

    async def show_pong(self) -> None:
        await self.send_json({"type": "pong"})

    async def send_json(self, content: Any) -> int:
        text = as_text(content)
        await self.send(text_data=text)
        return len(text)
