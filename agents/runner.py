"""Walk a graph: run its roles, each in its own time, reporting events; every ending is a value."""

import asyncio
import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from pydantic import BaseModel

from agents.errors import LLMError, LLMRefused, LLMTruncated
from agents.events import (
    AgentFailed,
    AgentFinished,
    AgentStarted,
    AgentText,
    Emit,
    ReplyText,
    Routed,
    StateChanged,
)
from agents.graph import Choice, Graph, Loop, Parallel, Route, Sequence, Step
from agents.limits import Limits
from agents.llm.base import Call, Completed, LLMBackend, Shown, Text
from agents.outcomes import Answered, Failed, Outcome, Refused, TimedOut
from agents.registry import roles as registered_roles
from agents.roles import Plan, Request, Role, Tier

logger = logging.getLogger(__name__)

raise_bugs = False
"""Tests set it: an exception that is a bug of a role ends the run instead of becoming an outcome."""

Position = tuple[int | str, ...]
"""Where a walk rests: the index or branch taken at each composition, from the root down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """One walk of a graph, ended."""

    outcomes: tuple[Outcome, ...]
    """One per agent that ran, in the order of their endings."""
    state: Mapping[str, Any]
    """The shared state with all changes of the run."""
    position: Position | None
    """Where the next walk starts; None when the graph came to its end."""
    aborted: bool = False


async def run(
    graph: Graph,
    request: Request,
    *,
    emit: Emit,
    backends: Mapping[Tier, LLMBackend],
    limits: Limits | None = None,
    position: Position = (),
    roles: Mapping[str, Role] = registered_roles,
) -> RunResult:
    """Walk the graph from `position`, reporting to `emit`, until it ends, waits for the learner, or aborts.

    Cancelling the task that awaits this cancels every agent; what was emitted stands. Raises nothing of its own.
    """
    walk = _Walk(request, emit=emit, backends=backends, limits=limits or Limits(), roles=roles)
    rest = await walk.step(graph.root, position)
    if walk.aborted:
        rest = position or None
    return RunResult(outcomes=tuple(walk.outcomes), state=walk.state, position=rest, aborted=walk.aborted)


@dataclass(slots=True)
class _Said:
    """What one agent has said so far, over all its tries."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0

    def text(self) -> str:
        return "".join(self.pieces)


class _Walk:
    """One walk's own memory: the shared state, the results so far, the outcomes in order."""

    def __init__(
        self,
        request: Request,
        *,
        emit: Emit,
        backends: Mapping[Tier, LLMBackend],
        limits: Limits,
        roles: Mapping[str, Role],
    ) -> None:
        self.first_request = request
        self.emit = emit
        self.backends = backends
        self.limits = limits
        self.roles = roles
        self.state: dict[str, Any] = dict(request.state)
        self.results: dict[str, BaseModel | None] = dict(request.results)
        self.outcomes: list[Outcome] = []
        self.aborted = False
        """An agent that the graph cannot do without has failed: no further step starts."""
        self.clock = asyncio.get_running_loop().time
        self.deadline = self.clock() + limits.turn_timeout_s

    def request(self) -> Request:
        first = self.first_request
        return Request(
            text=first.text, history=first.history, facts=first.facts, state=self.state, results=self.results
        )

    # --- Steps: each returns None when done, or the position below it where the walk rests ---

    async def step(self, step: Step, at: Position) -> Position | None:
        match step:
            case str():
                return () if await self.role(self.roles[step]) else None
            case Sequence():
                return await self.sequence(step, at)
            case Loop():
                return await self.loop(step, at)
            case Route():
                return await self.route(step, at)
            case Parallel():
                await self.parallel(step)
                return None

    async def sequence(self, step: Sequence, at: Position) -> Position | None:
        first, below = _resumed(at, bound=len(step.steps))
        for index in range(first, len(step.steps)):
            rest = await self.step(step.steps[index], below if index == first else ())
            if rest is not None:
                return (index, *rest)
            if self.aborted:
                break
        return None

    async def loop(self, step: Loop, at: Position) -> Position | None:
        first, below = _resumed(at, bound=step.at_most)
        for turn in range(first, step.at_most):
            rest = await self.step(step.step, below if turn == first else ())
            if rest is not None:
                return (turn, *rest)
            if self.aborted or step.until(self.request()):
                break
        return None

    async def route(self, step: Route, at: Position) -> Position | None:
        if at and at[0] in step.branches:
            branch, below = str(at[0]), at[1:]
        else:
            choice = step.choose(self.request())
            self.emit(routed(choice))
            branch, below = choice.to, ()
        rest = await self.step(step.branches[branch], below)
        return None if rest is None else (branch, *rest)

    async def parallel(self, step: Parallel) -> None:
        slots = asyncio.Semaphore(self.limits.agents_at_once)

        async def in_its_slot(inner: Step) -> None:
            async with slots:
                await self.step(inner, ())

        all_fit = len(step.steps) <= self.limits.agents_at_once
        async with asyncio.TaskGroup() as group:
            for inner in step.steps:
                group.create_task(self.step(inner, ()) if all_fit else in_its_slot(inner))

    # --- One role ---

    async def role(self, role: Role) -> bool:
        """Run a role to its outcome; return whether it waits for the learner."""
        self.emit(AgentStarted(agent=role.name))
        outcome = await self.attempted(role)
        self.outcomes.append(outcome)
        if isinstance(outcome, Answered):
            self.results[role.name] = outcome.result
            result = outcome.result.model_dump(mode="json") if outcome.result is not None else {}
            self.emit(AgentFinished(agent=role.name, ms=outcome.ms, result=result))
            return outcome.waits
        self.emit(
            AgentFailed(
                agent=role.name,
                error_type=outcome.error_type,
                message=outcome.message,
                recoverable=outcome.recoverable,
                fallback_available=role.on_failure != "abort",
                strategy=role.on_failure,
                ms=outcome.ms,
            )
        )
        self.aborted = self.aborted or role.on_failure == "abort"
        return False

    async def attempted(self, role: Role) -> Outcome:
        """Try a role within its time, again where its strategy says so and nothing was said yet."""
        started = self.clock()
        said = _Said()
        version = role.prompt.version if role.prompt else ""
        tries = 1
        while True:
            try:
                async with asyncio.timeout_at(self.ends_at(role, started)):
                    return await self.answer(role, said, started=started, tries=tries)
            except TimeoutError:
                return TimedOut(
                    agent=role.name,
                    text=said.text(),
                    ms=_ms_since(started),
                    after_s=role.timeout_s,
                    tries=tries,
                    prompt_version=version,
                )
            except LLMRefused:
                return Refused(
                    agent=role.name, text=said.text(), ms=_ms_since(started), tries=tries, prompt_version=version
                )
            except LLMError as error:
                if not self.may_retry(role, error, said=said, tries=tries):
                    return _failed(
                        role, said, started, tries, error.error_type, type(error).__name__, error.recoverable
                    )
                await asyncio.sleep(random.uniform(0, self.limits.retry_pause_s * 2**tries))
                tries += 1
            except Exception:
                # A bug in one role must not cost the learner the whole answer.
                if raise_bugs:
                    raise
                logger.exception("agent=%s crashed", role.name)
                return _failed(role, said, started, tries, "internal", "internal error", recoverable=False)

    def ends_at(self, role: Role, started: float) -> float:
        """Return when the role's time is over, by the loop's clock: its own time, or the turn's if that is less."""
        return min(started + role.timeout_s, self.deadline)

    def may_retry(self, role: Role, error: LLMError, *, said: _Said, tries: int) -> bool:
        return (
            role.on_failure == "retry" and error.recoverable and not said.length and tries <= self.limits.agent_retries
        )

    async def answer(self, role: Role, said: _Said, *, started: float, tries: int) -> Answered:
        request = self.request()
        plan = role.plan(request)
        self.change_state(role, plan)
        backend = self.backends[role.tier]
        backend.refuse_forbidden_call()
        completed = await self.spoken(backend, Call(role=role, request=request, plan=plan), said)
        return Answered(
            agent=role.name,
            result=completed.result,
            text=said.text(),
            ms=_ms_since(started),
            tries=tries,
            waits=plan.waits,
            usage=completed.usage,
            prompt_version=role.prompt.version if role.prompt else "",
        )

    def change_state(self, role: Role, plan: Plan) -> None:
        foreign = plan.state.keys() - role.writes
        if foreign:
            raise ValueError(f"role {role.name!r} may not change {', '.join(sorted(foreign))}")
        for key, value in plan.state.items():
            if self.state.get(key) != value:
                self.state[key] = value
                self.emit(StateChanged(key=key, value=value))

    async def spoken(self, backend: LLMBackend, call: Call, said: _Said) -> Completed:
        """Pass the backend's pieces on as events until the answer is whole. Raise LLMTruncated if it never is."""
        completed: Completed | None = None
        # To its end, not to its last piece: a generator left behind costs the loop a wake-up.
        async for piece in backend.stream(call):
            if type(piece) is Text:
                self.say(call.role, piece.text, said)
            elif type(piece) is Shown:
                self.emit(piece.event)
            else:
                completed = piece
        if completed is None:
            raise LLMTruncated
        return completed

    def say(self, role: Role, text: str, said: _Said) -> None:
        room = self.limits.output_characters - said.length
        if room < len(text):
            text = text[: max(room, 0)]
        if text:
            said.pieces.append(text)
            said.length += len(text)
            self.emit(ReplyText(text=text) if role.speaks else AgentText(agent=role.name, text=text))


def routed(choice: Choice) -> Routed:
    """Return the event of a choice."""
    return Routed(
        from_agent=choice.came_from,
        to=choice.to,
        strategy=choice.strategy,
        confidence=choice.confidence,
        reason=choice.reason,
    )


def _failed(
    role: Role, said: _Said, started: float, tries: int, error_type: Any, message: str, recoverable: bool
) -> Failed:
    return Failed(
        agent=role.name,
        text=said.text(),
        ms=_ms_since(started),
        error_type=error_type,
        message=message,
        recoverable=recoverable,
        tries=tries,
        prompt_version=role.prompt.version if role.prompt else "",
    )


def _resumed(at: Position, *, bound: int) -> tuple[int, Position]:
    """Return the index to go on at, and the position below it; a position the graph no longer has starts anew."""
    if at and isinstance(at[0], int) and 0 <= at[0] < bound:
        return at[0], at[1:]
    return 0, ()


def _ms_since(started: float) -> float:
    return round((monotonic() - started) * 1000, 3)
