"""The round table's rounds on the engine, with simulated agents in place of its collaborators."""

from collections.abc import AsyncIterator
from functools import partial

from agents.engine.events import AgentText, Event, ReplyText
from agents.engine.graph import Graph, Round, parallel, sequence
from agents.engine.roles import Plan, Request, Role, RoleCall, Tier
from agents.engine.runner import run
from agents.engine.speaker import Speaker, SpeechCompleted, SpeechPiece
from agents.llm.base import TextPiece
from agents.llm.token_usage import Usage
from bench.contenders import table_rounds

USAGE = Usage(backend="simulated")


def told(request: Request) -> Plan:
    """Return what an agent is told: the question, and what was said so far."""
    return Plan(background="\n".join((request.text, *request.texts.values())))


def is_needed(number: int, request: Request) -> bool:
    """Tell whether the round before said anything, as the round table decides it."""
    return number == 1 or any(request.texts.get(f"r{number - 1}_{voice}") for voice in table_rounds.VOICES)


def _role(name: str, known_as: str) -> Role:
    return Role(
        name=name,
        known_as=known_as,
        purpose="Part of a simulated table.",
        plan=told,
        speaks=name == table_rounds.CLOSES,
    )


NUMBERS = range(1, table_rounds.ROUNDS + 1)
ROLES = {
    name: _role(name, known_as)
    for name, known_as in (
        (table_rounds.OPENS, table_rounds.OPENS),
        *((f"r{number}_{voice}", voice) for number in NUMBERS for voice in table_rounds.VOICES),
        (table_rounds.CLOSES, table_rounds.CLOSES),
    )
}
GRAPH = Graph(
    name="table",
    root=sequence(
        table_rounds.OPENS,
        *(
            Round(
                number=number,
                step=parallel(*(f"r{number}_{voice}" for voice in table_rounds.VOICES)),
                agents=table_rounds.VOICES,
                is_needed=partial(is_needed, number),
            )
            for number in NUMBERS
        ),
        table_rounds.CLOSES,
    ),
)
REQUEST = Request(text=table_rounds.QUESTION)


class LateSpeaker(Speaker):
    """Speaks for every agent, after its latency."""

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        async for word in table_rounds.model(call.role.public_name, call.plan.background):
            yield TextPiece(word)
        yield SpeechCompleted(result=None, usage=USAGE)


SPEAKER = LateSpeaker()
SPEAKERS: dict[Tier, Speaker] = {"fast": SPEAKER, "strong": SPEAKER, "vision": SPEAKER}


async def table() -> int:
    events: list[Event] = []
    await run(GRAPH, REQUEST, emit=events.append, speakers=SPEAKERS, roles=ROLES)
    return sum(isinstance(event, AgentText | ReplyText) for event in events)


def sample() -> dict[str, float]:
    return table_rounds.sample(table)
