"""The panel's graph on the engine, with simulated agents in place of the panel's."""

from collections.abc import AsyncIterator

from agents.engine.events import AgentText, Event, ReplyText
from agents.engine.graph import Graph, parallel, sequence
from agents.engine.roles import Plan, Request, Role, RoleCall, Tier
from agents.engine.runner import run
from agents.engine.speaker import Speaker, SpeechCompleted, SpeechPiece
from agents.llm.base import TextPiece
from agents.llm.token_usage import Usage
from bench.contenders import panel_turn

PLAN = Plan()
ROLES = {
    name: Role(name=name, purpose="Part of a simulated turn.", plan=lambda request: PLAN, speaks=name == "synthesis")
    for name in (*panel_turn.AT_ONCE, "synthesis")
}
USAGE = Usage(backend="simulated")
REQUEST = Request(text="How do transformers work in NLP?")
GRAPH = Graph(name="panel", root=sequence(parallel(*panel_turn.AT_ONCE), "synthesis"))


class LateSpeaker(Speaker):
    """Speaks for every agent, after its latency."""

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        async for word in panel_turn.model(call.role.name):
            yield TextPiece(word)
        yield SpeechCompleted(result=None, usage=USAGE)


SPEAKER = LateSpeaker()
SPEAKERS: dict[Tier, Speaker] = {"fast": SPEAKER, "strong": SPEAKER, "vision": SPEAKER}


async def turn() -> int:
    events: list[Event] = []
    await run(GRAPH, REQUEST, emit=events.append, speakers=SPEAKERS, roles=ROLES)
    return sum(isinstance(event, AgentText | ReplyText) for event in events)


def sample() -> dict[str, float]:
    return panel_turn.sample(turn)
