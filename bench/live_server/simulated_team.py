"""A team without models: three agents of 50 words, 20 ms apart, and a reply of 1 KB; or a torrent of words."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from agents.engine.graph import Choice, Graph, parallel, sequence
from agents.engine.roles import Plan, Request, Role, RoleCall
from agents.engine.runner import RunResult
from agents.engine.speaker import Speaker, SpeechCompleted, SpeechPiece
from agents.llm.base import TextPiece
from agents.llm.token_usage import Usage
from agents.runtime.speaker_selection import Payer
from bench.live_server.team_script import AGENTS, PIECE, PIECES, REPLY, TORRENT, paced_tokens
from conversations.models import Message, Session, Turn
from conversations.turns.handler import Intent, MessageReading, PreparedRun

PLAN = Plan()
USAGE = Usage(backend="simulated")
ROLES = (
    *(Role(name=name, purpose="Part of a simulated turn.", plan=lambda request: PLAN) for name in AGENTS),
    Role(name="classify", purpose="Part of a simulated turn.", plan=lambda request: PLAN),
    Role(name="tutor", purpose="Part of a simulated turn.", plan=lambda request: PLAN, speaks=True),
)
PANEL = Graph(name="panel", root=sequence("classify", parallel(*AGENTS), "tutor"))
ALONE = Graph(name="alone", root=sequence("tutor"))
CHOICE = Choice(to="panel", reason="It always does.")


class SimulatedTeam(Speaker):
    """Speaks for every role."""

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        if call.request.text == TORRENT:
            for number in range(PIECES):
                if number % 100 == 0:
                    await asyncio.sleep(0)
                yield TextPiece(PIECE)
        elif call.role.name in AGENTS:
            async for token in paced_tokens():
                yield TextPiece(token)
        elif call.role.speaks:
            yield TextPiece(REPLY)
        yield SpeechCompleted(result=None, usage=USAGE)


class SimulatedTurnHandler:
    """Serves every turn by the team and keeps nothing: what is measured is the machinery beneath a host."""

    def read(self, turn: Turn) -> MessageReading | None:
        return None

    async def improve(self, turn: Turn, reading: MessageReading, payer: Payer) -> MessageReading:
        return reading

    def apply(self, turn: Turn, reading: MessageReading) -> None:
        pass

    def prepare(self, turn: Turn, reading: MessageReading | None = None) -> PreparedRun:
        text = Message.objects.filter(turn=turn).values_list("text", flat=True)[0]
        graph = ALONE if text == TORRENT else PANEL
        return PreparedRun(graph=graph, request=Request(text=text), choice=CHOICE)

    def settle(self, turn: Turn, result: RunResult, *, told: Sequence[Mapping[str, Any]]) -> None:
        pass

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}

    def stands(self, key: str, value: Any) -> str:
        return ""

    def changed_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        return ()

    def judged_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        return ()

    def may_show_to_model(self, drawing: Any) -> bool:
        return True

    def needs_care(self, text: str) -> bool:
        return False

    def may_rerun(self, turn: Turn) -> str:
        return ""

    def is_aside(self, turn: Turn) -> bool:
        return False

    def intent(self, turn: Turn, text: str) -> Intent:
        return "question"

    def undo(self, turn: Turn) -> None:
        pass

    def decided(self, result: Mapping[str, Any]) -> str:
        return ""

    def tested(self, session: Session) -> Sequence[tuple[int, str]]:
        return ()

    def lesson_context(self, session: Session) -> Mapping[str, Any]:
        return {}
