"""A speaker for tests: each role says what its script says, with barriers, errors and silences on cue."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

from agents.engine.roles import RoleCall
from agents.engine.speaker import Speaker, SpeechCompleted, SpeechPiece
from agents.llm.base import TextPiece
from agents.llm.token_usage import Usage

Cue = str | Exception | SpeechPiece | Callable[[], Awaitable[object]]
"""Text to say, an error to raise, a piece to pass on, or something to wait for."""


class ScriptedSpeaker(Speaker):
    """Plays one script per role; a role without one says nothing and completes."""

    def __init__(self, scripts: Mapping[str, Sequence[Cue]] | None = None) -> None:
        self.scripts = dict(scripts or {})
        self.calls: list[RoleCall] = []

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        self.calls.append(call)
        for cue in self.scripts.get(call.role.name, ()):
            match cue:
                case str():
                    yield TextPiece(cue)
                case Exception():
                    raise cue
                case _ if callable(cue):
                    await cue()
                case _:
                    yield cue
        yield SpeechCompleted(result=call.plan.result, usage=Usage(backend="scripted"))
