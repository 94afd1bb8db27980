"""A stage for the runner's tests: roles in a line each, scripts, and a walk that remembers its events."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from agents.engine.events import Event
from agents.engine.graph import Graph, Step, role_names
from agents.engine.outcomes import Outcome
from agents.engine.roles import Plan, Request, Role
from agents.engine.runner import Position, RunResult, run
from agents.engine.speaker import Speaker
from agents.limits import RunLimits
from tests.agents.engine.scripted_speaker import Cue, ScriptedSpeaker

Scripts = Mapping[str, Sequence[Cue]]
QUICK = RunLimits(retry_pause_s=0)


def role(name: str, *, plan: Plan | None = None, **options: Any) -> Role:
    """Return a role that plans the same each time."""
    return Role(name=name, purpose="Plays its part.", plan=lambda request: plan or Plan(), **options)


async def for_ever() -> None:
    await asyncio.Event().wait()


async def walk(
    root: Step,
    *roles: Role,
    scripts: Scripts | None = None,
    speaker: Speaker | None = None,
    request: Request | None = None,
    limits: RunLimits = QUICK,
    position: Position = (),
    events: list[Event] | None = None,
    off: Collection[str] = (),
) -> RunResult:
    """Walk a graph of scripted agents; a role not given is one that only plays its script."""
    cast = {name: role(name) for name in role_names(root)} | {each.name: each for each in roles}
    speaker = speaker or ScriptedSpeaker(scripts)
    return await run(
        Graph(name="stage", root=root),
        request or Request(),
        emit=(events if events is not None else []).append,
        speakers={"fast": speaker, "strong": speaker, "vision": speaker},
        limits=limits,
        position=position,
        roles=cast,
        off=off,
    )


def by_name(result: RunResult) -> dict[str, Outcome]:
    """Return the last outcome of each agent."""
    return {outcome.agent: outcome for outcome in result.outcomes}


def names(result: RunResult) -> list[str]:
    """Return the agents in the order of their endings."""
    return [outcome.agent for outcome in result.outcomes]
