"""Graph runner: runs a graph's roles, each with its time limit, and reports events. Every ending is a value."""

import asyncio
import random
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from agents import tracing
from agents.engine.bus import AgentMessage, Bus, Drop
from agents.engine.events import (
    AgentFailed,
    AgentFinished,
    AgentStarted,
    AgentText,
    Emit,
    Event,
    MessageSent,
    ReplyText,
    RoundFinished,
    RoundStarted,
    Routed,
    StateChanged,
    ToolCalled,
    ToolReturned,
)
from agents.engine.graph import Call, Choice, Graph, Loop, Parallel, Round, Route, Sequence, Step, role_names
from agents.engine.outcomes import Answered, Failed, Outcome, Refused, SwitchedOff, TimedOut
from agents.engine.registry import roles as registered_roles
from agents.engine.roles import Request, Role, RoleCall, Tier
from agents.engine.speaker import ShownEvent, Speaker, SpeechCompleted
from agents.errors import GraphError, LLMError, LLMRefused, LLMTruncated
from agents.event_log import get_logger
from agents.limits import RunLimits
from agents.llm.base import TextPiece
from agents.llm.prompt import Prompt
from agents.tools import tools as registered_tools

logger = get_logger(__name__)

DEFAULT_LIMITS = RunLimits()
NO_PROMPT_OVERRIDES: Mapping[str, Prompt] = {}

raise_bugs = False
"""Set by tests: an exception caused by a bug in a role ends the run instead of becoming an outcome."""

Position = tuple[int | str, ...]
"""Where a walk stopped: the index or branch taken at each step, from the root down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The result of one execution of a graph."""

    outcomes: tuple[Outcome, ...]
    """One per agent that ran, in the order they ended."""
    state: Mapping[str, Any]
    """The shared state after all changes of the run."""
    position: Position | None
    """Where the next walk starts; None if the graph is done."""
    aborted: bool = False
    choices: tuple[Choice, ...] = ()
    """Choices of its routes, in order."""
    switched_off: tuple[SwitchedOff, ...] = ()
    """The agents that were passed over, in the order in which their turn came."""
    request: Request | None = None
    """What an agent would be given now: with all results, texts and failures of the run."""


async def run(
    graph: Graph,
    request: Request,
    *,
    emit: Emit,
    speakers: Mapping[Tier, Speaker],
    limits: RunLimits | None = None,
    position: Position = (),
    roles: Mapping[str, Role] = registered_roles,
    prompts: Mapping[str, Prompt] = NO_PROMPT_OVERRIDES,
    correlation_id: str = "",
    off: Collection[str] = (),
) -> RunResult:
    """Walk the graph from `position`, reporting to `emit`, until it ends, waits for the learner, or aborts.

    `prompts` replace the roles' own prompts of the same name. `correlation_id` names the run in its agents' messages.
    `off` names roles that are passed over: the others run as if these had nothing to say.

    Cancelling the awaiting task cancels every agent; events already emitted stay.
    Raises GraphError if a route chooses a branch that it does not have.
    """
    bus = Bus(
        correlation_id=correlation_id,
        members=[roles[name].public_name for name in role_names(graph.root)],
        report=lambda message, drop: emit(message_event(message, drop)),
    )
    walk = _GraphWalk(
        request,
        emit=emit,
        speakers=speakers,
        limits=limits or DEFAULT_LIMITS,
        roles=roles,
        prompts=prompts,
        bus=bus,
        off=off,
    )
    rest = await walk.step(graph.root, position)
    if walk.aborted and rest is None:
        # For an agent of a parallel step, the walk can only stop before that step.
        rest = position or None
    return RunResult(
        outcomes=tuple(walk.outcomes),
        state=walk.state,
        position=rest,
        aborted=walk.aborted,
        choices=tuple(walk.choices),
        switched_off=tuple(walk.switched_off),
        request=walk.request(),
    )


class _AgentRun:
    """One agent's part in a walk, while it runs."""

    __slots__ = ("began_ms", "clock", "ends", "prompt", "role", "said", "said_length", "started", "tries", "was_seen")

    def __init__(
        self, role: Role, prompt: Prompt | None, *, clock: Callable[[], float], since: float, deadline: float
    ) -> None:
        self.role = role
        self.prompt = prompt
        self.clock = clock
        self.started = clock()
        self.began_ms = int((self.started - since) * 1_000_000) / 1000
        self.ends = min(self.started + role.timeout_s, deadline)
        """When its time ends: its own limit or the run's, whichever is earlier."""
        self.tries = 1
        self.said: list[str] = []
        self.said_length = 0
        self.was_seen = False
        """Part of the answer was already shown, so it cannot be retried."""

    @property
    def prompt_version(self) -> str:
        return self.prompt.version if self.prompt else ""

    def ms(self) -> float:
        """Return the milliseconds since it started. In whole microseconds: rounding takes four times as long."""
        return int((self.clock() - self.started) * 1_000_000) / 1000

    def so_far(self) -> dict[str, Any]:
        """Return the fields shared by all outcomes but an answer."""
        return {
            "agent": self.role.public_name,
            "text": "".join(self.said),
            "ms": self.ms(),
            "began_ms": self.began_ms,
            "tries": self.tries,
            "prompt_version": self.prompt_version,
        }


class _GraphWalk:
    """The state of one walk: the current request, and the outcomes in order."""

    def __init__(
        self,
        request: Request,
        *,
        emit: Emit,
        speakers: Mapping[Tier, Speaker],
        limits: RunLimits,
        roles: Mapping[str, Role],
        prompts: Mapping[str, Prompt],
        bus: Bus,
        off: Collection[str],
    ) -> None:
        self.first_request = request
        self.latest_request: Request | None = request
        self.state = request.state
        self.results = request.results
        self.texts = request.texts
        self.failed = request.failed
        self.emit = emit
        self.speakers = speakers
        self.limits = limits
        self.roles = roles
        self.prompts = prompts
        self.bus = bus
        self.off = off
        self.outcomes: list[Outcome] = []
        self.switched_off: list[SwitchedOff] = []
        self.choices: list[Choice] = []
        self.aborted = False
        """An agent that the graph requires has failed: no further step starts."""
        self.clock = asyncio.get_running_loop().time
        self.since = self.clock()
        self.deadline = self.since + limits.turn_timeout_s
        self.rounds_are_over = False

    def request(self) -> Request:
        """Return the current request. Earlier ones do not change: every change makes a new one."""
        if self.latest_request is None:
            first = self.first_request
            self.latest_request = Request(
                text=first.text,
                history=first.history,
                summary=first.summary,
                facts=first.facts,
                state=self.state,
                results=self.results,
                texts=self.texts,
                failed=self.failed,
            )
        return self.latest_request

    # --- Steps: each returns None when done, or the position below it where the walk stopped ---

    def step(self, step: Step, at: Position) -> Coroutine[Any, Any, Position | None]:
        match step:
            case str():
                return self.role(self.roles[step])
            case Sequence():
                return self.sequence(step, at)
            case Loop():
                return self.loop(step, at)
            case Route():
                return self.route(step, at)
            case Parallel():
                return self.parallel(step)
            case Round():
                return self.round(step)
            case Call():
                return self.call(step)

    async def sequence(self, step: Sequence, at: Position) -> Position | None:
        first, below = _resume_point(at, bound=len(step.steps))
        for index in range(first, len(step.steps)):
            rest = await self.step(step.steps[index], below if index == first else ())
            if rest is not None:
                return (index, *rest)
            if self.aborted:
                break
        return None

    async def loop(self, step: Loop, at: Position) -> Position | None:
        first, below = _resume_point(at, bound=step.at_most)
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
            if choice.to not in step.branches:
                raise GraphError(f"a route has no branch {choice.to!r}")
            self.choices.append(choice)
            if not choice.is_told:
                self.emit(routed_event(choice))
            self.change_state(choice.changed)
            branch, below = choice.to, ()
        rest = await self.step(step.branches[branch], below)
        return None if rest is None else (branch, *rest)

    async def parallel(self, step: Parallel) -> None:
        """Run the steps at the same time. None can wait for the learner: the walk continues when all have ended."""
        at_once = self.limits.agents_at_once
        slots = asyncio.Semaphore(at_once) if len(step.steps) > at_once else None
        async with asyncio.TaskGroup() as group:
            for inner in step.steps:
                group.create_task(self.run_in_slot(inner, slots) if slots else self.step(inner, ()))

    async def round(self, step: Round) -> None:
        """Run a round and report it, unless the rounds are over: not needed any more, aborted, or out of time."""
        whole, until = self.deadline, self.deadline - step.reserve_s
        if self.rounds_are_over or self.clock() >= until or not step.is_needed(self.request()):
            self.rounds_are_over = True
            return
        self.emit(RoundStarted(round=step.number, agents=step.agents))
        self.deadline = until
        try:
            # One after the other whatever happens: an agent that aborts lets the others finish the round.
            for each in step.steps:
                await self.step(each, ())
        finally:
            self.deadline = whole
        self.rounds_are_over, self.aborted = self.aborted, False
        self.emit(RoundFinished(round=step.number))

    async def call(self, step: Call) -> None:
        try:
            async with asyncio.timeout_at(self.deadline):
                await step.run(self.request(), self.bus)
        except TimeoutError:
            logger.warning("graph_call_timed_out")
        except Exception:
            # The agents look up what it should have prepared, or do without it.
            if raise_bugs:
                raise
            logger.exception("graph_call_crashed")

    async def run_in_slot(self, step: Step, slots: asyncio.Semaphore) -> None:
        async with slots:
            await self.step(step, ())

    # --- One role ---

    async def role(self, role: Role) -> Position | None:
        """Run a role to its outcome and publish its result."""
        if role.name in self.off:
            self.switched_off.append(SwitchedOff(agent=role.public_name))
            # Those who wait for its messages need not wait any longer.
            self.bus.end(role.public_name)
            return None
        self.emit(AgentStarted(agent=role.public_name))
        self.bus.begin(role.public_name)
        prompt = self.prompts.get(role.prompt.name, role.prompt) if role.prompt else None
        outcome = await self.outcome(
            _AgentRun(role, prompt, clock=self.clock, since=self.since, deadline=self.deadline)
        )
        self.outcomes.append(outcome)
        self.bus.end(role.public_name)
        if isinstance(outcome, Answered):
            result = outcome.result
            self.results = {**self.results, role.name: result}
            self.texts = {**self.texts, role.name: outcome.text}
            self.latest_request = None
            shown = result.model_dump(mode="json") if result is not None else {}
            self.emit(AgentFinished(agent=role.public_name, ms=outcome.ms, result=shown))
            return () if outcome.waits else None
        self.emit(
            AgentFailed(
                agent=role.public_name,
                error_type=outcome.error_type,
                message=outcome.message,
                recoverable=outcome.recoverable,
                fallback_available=role.on_failure != "abort",
                strategy=role.on_failure,
                ms=outcome.ms,
            )
        )
        self.failed = {**self.failed, role.name: outcome.error_type}
        self.latest_request = None
        if role.on_failure != "abort":
            return None
        self.aborted = True
        # What came before it in this walk is kept: the next walk starts with this role.
        return ()

    async def outcome(self, part: _AgentRun) -> Outcome:
        """Run an agent within its time limit. Every ending is a value, except when the run is cancelled."""
        name = part.role.public_name
        with tracing.span(f"agent {name}", {"gen_ai.agent.name": name}) as span:
            outcome = await self._outcome(part)
            if not isinstance(outcome, Answered):
                span.fail(outcome.error_type)
        return outcome

    async def _outcome(self, part: _AgentRun) -> Outcome:
        try:
            async with asyncio.timeout_at(part.ends):
                return await self.answered(part)
        except TimeoutError:
            after_s = round(part.ends - part.started, 3)
            return TimedOut(**part.so_far(), after_s=after_s)
        except LLMRefused:
            return Refused(**part.so_far())
        except LLMError as error:
            return Failed(
                **part.so_far(),
                error_type=error.error_type,
                message=type(error).__name__,
                recoverable=error.recoverable,
            )
        except Exception:
            # A bug in one role must not cost the learner the whole answer.
            if raise_bugs:
                raise
            logger.exception("agent_crashed", agent=part.role.name)
            return Failed(**part.so_far(), error_type="internal", message="internal error", recoverable=False)

    async def answered(self, part: _AgentRun) -> Answered:
        """Plan once, then say the plan; retry if the role's strategy allows it and nothing was shown yet."""
        role = part.role
        plan = role.plan(self.request())
        if foreign := plan.state.keys() - role.writes:
            raise ValueError(f"role {role.name!r} may not change {', '.join(sorted(foreign))}")
        call = RoleCall(role=role, request=self.request(), plan=plan, prompt=part.prompt, ends=part.ends, bus=self.bus)
        while True:
            try:
                completed = await self.spoken(call, part)
            except LLMError as error:
                if not self.may_retry(part, error):
                    raise
                await asyncio.sleep(random.uniform(0, self.limits.retry_pause_s * 2**part.tries))
                part.tries += 1
            else:
                # Only now: nothing is kept of an agent that fails before this.
                self.change_state(plan.state)
                return Answered(
                    agent=role.public_name,
                    result=completed.result,
                    text="".join(part.said),
                    ms=part.ms(),
                    began_ms=part.began_ms,
                    tries=part.tries,
                    waits=plan.waits,
                    usage=completed.usage,
                    prompt_version=part.prompt_version,
                    degraded=completed.degraded,
                    remarks=completed.remarks,
                    failure=completed.failure,
                )

    def may_retry(self, part: _AgentRun, error: LLMError) -> bool:
        return (
            part.role.on_failure == "retry"
            and error.recoverable
            and not part.was_seen
            and part.tries <= self.limits.agent_retries
        )

    def change_state(self, changed: Mapping[str, Any]) -> None:
        for key, value in changed.items():
            if self.state.get(key) != value:
                self.state = {**self.state, key: value}
                self.latest_request = None
                self.emit(StateChanged(key=key, value=value))

    async def spoken(self, call: RoleCall, part: _AgentRun) -> SpeechCompleted:
        """Forward the speaker's pieces as events until the answer is complete. Raises LLMTruncated if it never is."""
        speaker = self.speakers[part.role.tier]
        completed: SpeechCompleted | None = None
        # Read the generator to its end, not only to its last piece: closing it later costs the loop a wake-up.
        async for piece in speaker.stream(call):
            if isinstance(piece, TextPiece):
                self.say(piece.text, part)
            elif isinstance(piece, ShownEvent):
                part.was_seen |= not is_repeatable(piece.event)
                self.emit(piece.event)
            else:
                completed = piece
        if completed is None:
            raise LLMTruncated
        return completed

    def say(self, text: str, part: _AgentRun) -> None:
        room = self.limits.output_characters - part.said_length
        if len(text) > room:
            text = text[:room]
        if text:
            part.was_seen = True
            part.said.append(text)
            part.said_length += len(text)
            self.emit(ReplyText(text=text) if part.role.speaks else AgentText(agent=part.role.public_name, text=text))


def message_event(message: AgentMessage, drop: Drop) -> MessageSent:
    """Return the event for a message between agents; what was too large to deliver is not recorded either."""
    return MessageSent(
        message_id=message.message_id,
        sender=message.sender,
        recipient=message.recipient,
        message_type=message.message_type,
        payload={} if drop == "oversized" else message.payload,
        parent_id=message.parent_id,
        priority=message.priority,
        dropped=drop,
    )


def is_repeatable(event: Event) -> bool:
    """Tell whether an agent may start over after this event: it has only looked something up."""
    if not isinstance(event, ToolCalled | ToolReturned):
        return False
    tool = registered_tools.get(event.tool)
    return tool is None or not tool.has_effect


def routed_event(choice: Choice) -> Routed:
    """Return the event for a choice."""
    return Routed(
        from_agent=choice.came_from,
        to=choice.to,
        strategy=choice.strategy,
        confidence=choice.confidence,
        reason=choice.reason,
    )


def _resume_point(at: Position, *, bound: int) -> tuple[int, Position]:
    """Return the index to resume at and the position below it; a position not in the graph starts over."""
    if at and isinstance(at[0], int) and 0 <= at[0] < bound:
        return at[0], at[1:]
    return 0, ()
