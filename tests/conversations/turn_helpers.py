"""A stage for turns: a host whose one role plays a script, and ways to begin, pause and read a turn."""

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.engine.graph import Choice, Graph, sequence
from agents.engine.roles import Plan, Request, Role
from agents.engine.runner import RunResult
from conversations.models import Event, Message, Snapshot, Turn
from conversations.turns import begin
from conversations.turns.handler import Intent, MessageReading, PreparedRun, turn_handler

SPEAKER = Role(name="speaker", purpose="Plays its script.", plan=lambda request: Plan(), speaks=True)
GRAPH = Graph(name="stage", root=sequence("speaker"))


def nothing(*args: Any) -> None:
    pass


class ScriptedHandler:
    """Serves every session by one speaker; what else a message means, and a run decided, the test says."""

    def __init__(self) -> None:
        self.on_apply: Callable[[Turn], None] | None = None
        self.on_prepare: Callable[[Turn], None] = nothing
        self.on_settle: Callable[[Turn, RunResult], None] = nothing
        self.on_undo: Callable[[Turn], None] = nothing
        self.evidence: set[int] = set()
        """Numbers of the turns that must stay as they are."""
        self.asides: set[int] = set()
        """Numbers of the turns that leave the open step alone."""

    def read(self, turn: Turn) -> MessageReading | None:
        return MessageReading(analysis={}, decision=None) if self.on_apply is not None else None

    async def improve(self, turn: Turn, reading: MessageReading, ledger: Any) -> MessageReading:
        return reading

    def apply(self, turn: Turn, reading: MessageReading) -> None:
        if self.on_apply is not None:
            self.on_apply(turn)
            turn.decision = {}

    def prepare(self, turn: Turn, reading: MessageReading | None = None) -> PreparedRun:
        self.on_prepare(turn)
        said = Message.objects.filter(turn=turn, author=Message.Author.LEARNER).values_list("text", flat=True).first()
        return PreparedRun(
            graph=GRAPH, request=Request(text=said or ""), choice=Choice(to="speaker", reason="Nobody else is here.")
        )

    def settle(self, turn: Turn, result: RunResult, *, told: Sequence[Mapping[str, Any]]) -> None:
        self.on_settle(turn, result)

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}

    def stands(self, key: str, value: Any) -> str:
        return ""

    def changed_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        return ()

    def judged_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        return ()

    def may_show_to_model(self, drawing: Snapshot) -> bool:
        return "keep this to yourself" not in drawing.reading["text"]

    def needs_care(self, text: str) -> bool:
        return "I am in danger" in text

    def may_rerun(self, turn: Turn) -> str:
        return "This was judged." if turn.number in self.evidence else ""

    def intent(self, turn: Turn, text: str) -> Intent:
        return "statement"

    def is_aside(self, turn: Turn) -> bool:
        return turn.number in self.asides

    def undo(self, turn: Turn) -> None:
        self.on_undo(turn)

    def decided(self, result: Mapping[str, Any]) -> str:
        return str(result.get("move", ""))

    def tested(self, session: Any) -> Sequence[tuple[int, str]]:
        return ()

    def lesson_context(self, session: Any) -> Mapping[str, Any]:
        return {}


class Pause:
    """A cue that tells when it is reached and waits to be ended."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.over = asyncio.Event()

    async def __call__(self) -> None:
        self.reached.set()
        await self.over.wait()


def accepted(owner: Any, *, key: str | None = "s", text: str = "hello", **options: Any) -> begin.AcceptedTurn:
    """Begin a turn."""
    return begin.begin_turn(owner=owner, session_key=key, text=text, **options)


def begun(owner: Any, **options: Any) -> Turn:
    """Begin a turn and return it."""
    return accepted(owner, **options).turn


def read_of(turn: Turn) -> MessageReading:
    """Return how the host reads the turn's message."""
    reading = turn_handler().read(turn)
    assert reading is not None
    return reading


def orphaned(turn: Turn, **changes: Any) -> None:
    """Leave the turn behind as a process does that died while it served it, some time ago."""
    long_ago = "2020-01-01T00:00:00Z"
    left = {"status": "running", "attempt": 1, "lease_owner": "dead", "lease_until": long_ago, **changes}
    Turn.objects.filter(pk=turn.pk).update(**left)


def bodies(turn_id: uuid.UUID, *types: str) -> list[dict[str, Any]]:
    """Return the turn's stored events as they go over the wire, of some types or of all."""
    rows = Event.objects.filter(turn_id=turn_id).order_by("seq")
    return [body for body in rows.values_list("body", flat=True) if not types or body["type"] in types]


def reply(turn: Turn) -> Message:
    return Message.objects.get(turn=turn, author="team")


def joined(wires: Sequence[Mapping[str, Any]]) -> str:
    """Return the reply's pieces, joined; those before the turn was taken up anew do not count."""
    said = ""
    for wire in wires:
        if wire["type"] == "turn_resumed":
            said = ""
        elif wire["type"] == "reply_text":
            said += wire["text"]
    return said
