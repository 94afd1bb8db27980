"""Tool use by a model: only the role's own tools, validated arguments, time limits, a limited number of uses."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from pydantic import BaseModel, ValidationError

from agents import tracing
from agents.engine.bus import Bus
from agents.engine.events import Event, ToolCalled, ToolReturned
from agents.engine.model_requests import QUOTED_MATERIAL_NOTE
from agents.engine.roles import PlannedToolUse, Role, accept_all
from agents.event_log import get_logger
from agents.llm.base import ChatText, Message, ModelRequest, ToolRequest, ToolResponse
from agents.llm.call_context import NO_CONTEXT, CallContext
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from agents.tools import tools as registered_tools

logger = get_logger(__name__)

MAX_USES = 8
"""Tool uses by one agent in one run; after that the model answers without tools."""
MAX_MISUSES = 2
"""Uses with unreadable arguments or unknown tools; after that the model answers without tools."""
ANSWER_CHARACTERS = 20_000
"""Most characters of one result given to the model."""
SUMMARY_CHARACTERS = 200
ANSWER_LEAK_MESSAGE = "This would give away an answer that the learner has to find."
TOOK_TOO_LONG = "It took too long."
CRASHED = "It did not work."
"""What a model reads instead of a result. For a person, they say nothing about the question."""


class Toolbox:
    """The tools that one agent may use for its answer, and the number of incorrect uses so far."""

    def __init__(
        self,
        role: Role,
        call_context: CallContext,
        *,
        known: Mapping[str, Tool] = registered_tools,
        guard: Callable[[str], str] = accept_all,
        bus: Bus | None = None,
    ) -> None:
        self.bus = bus
        self.agent = role.public_name
        self.role = role.name
        """An agent that speaks again in a later round may use as many tools again."""
        self.guard = guard
        """Guard for a model's words. Tool arguments are shown too, so they can reveal as much as a sentence."""
        # NO_CONTEXT is shared by everyone: nothing is stored on it.
        self.call_context = CallContext() if call_context is NO_CONTEXT else call_context
        named = {name: known[name] for name in role.tools if name in known and known[name].is_ready()}
        self.tools = {
            name: tool for name, tool in named.items() if self.call_context.consents or not tool.calls_outside
        }
        self.misuses = 0

    @property
    def uses(self) -> int:
        """How often the agent has used a tool in this run, over all its answers."""
        return self.call_context.tool_uses.get(self.role, 0)

    @property
    def offered(self) -> tuple[Tool, ...]:
        """Tools the model may still request."""
        if self.uses >= MAX_USES or self.misuses >= MAX_MISUSES:
            return ()
        return tuple(tool for tool in self.tools.values() if self.allows(tool))

    def allows(self, tool: Tool) -> bool:
        """Return whether the tool may still be used. A tool with effects never runs after untrusted text was read."""
        return not (tool.has_effect and self.call_context.has_read_untrusted)

    async def used(self, wanted: Sequence[ToolRequest]) -> AsyncIterator[tuple[Event, ToolResponse | None]]:
        """Run the requested tools one by one: yields an event before and one after each, the second with the answer."""
        for each in wanted:
            tool = self.tools.get(each.name) if self.uses < MAX_USES else None
            arguments, problem = parse_arguments(tool, each.arguments) if tool else (None, "There is no such tool.")
            if arguments is not None and self.guard(" ".join(str(value) for _name, value in arguments)) == "leak":
                arguments, problem = None, ANSWER_LEAK_MESSAGE
            if self.uses >= MAX_USES:
                problem = "You cannot use more tools in this answer. Answer with what you have."
            yield tool_called_event(self.agent, each.name, arguments), None
            started = monotonic()
            if tool is None or arguments is None:
                self.misuses += 1
                found: ToolResult | str = problem
            else:
                found = self._unless_leaking(tool, await self.use(tool, arguments))
            text, ok = (
                _text_for_model(found, by_others=tool is not None and tool.is_untrusted),
                isinstance(found, ToolResult),
            )
            yield (
                tool_returned_event(self.agent, each.name, found, started=started),
                ToolResponse(id=each.id, name=each.name, text=text, ok=ok),
            )

    def _unless_leaking(self, tool: Tool, found: ToolResult | str) -> ToolResult | str:
        """Return a tool's result, or a refusal if it contains an open answer: a program could print one."""
        if isinstance(found, ToolResult) and not tool.is_untrusted and self.guard(found.summary) == "leak":
            return ANSWER_LEAK_MESSAGE
        return found

    async def use_planned(self, use: PlannedToolUse) -> AsyncIterator[tuple[Event, ToolResult | str]]:
        """Use a tool named by the role's plan: yields an event before and one after, the second with the result."""
        tool = self.tools.get(use.tool)
        if tool is None:
            return
        yield tool_called_event(self.agent, use.tool, use.arguments), ""
        started = monotonic()
        found = await self.use(tool, use.arguments, run=use.run)
        yield tool_returned_event(self.agent, use.tool, found, started=started), found

    async def use(
        self, tool: Tool, arguments: BaseModel, *, run: Callable[[ToolUse], Awaitable[ToolResult]] | None = None
    ) -> ToolResult | str:
        """Return the tool's result, or why there is none; that of `run`, if it is given, within the same limits."""
        if not self.allows(tool):
            return "Not allowed after reading text from outside: a person has to do this."
        self.call_context.tool_uses[self.role] = self.uses + 1
        use = ToolUse(
            turn_id=self.call_context.turn_id,
            person_id=self.call_context.person_id,
            agent=self.agent,
            role=self.role,
            number=self.uses,
            tool=tool.name,
            open_addresses=frozenset(self.call_context.known_addresses)
            if self.call_context.has_read_untrusted
            else None,
            bus=self.bus,
        )
        # Set before the tool runs: one that fails half-way may pass on some of the text in its message.
        self.call_context.has_read_untrusted |= tool.is_untrusted
        with tracing.span(f"execute_tool {tool.name}", {"gen_ai.tool.name": tool.name}) as span:
            answer = await self._run(tool, arguments, use, run)
            if isinstance(answer, str):
                span.fail("tool_failed")
        return answer

    async def _run(
        self,
        tool: Tool,
        arguments: BaseModel,
        use: ToolUse,
        run: Callable[[ToolUse], Awaitable[ToolResult]] | None,
    ) -> ToolResult | str:
        """Return the tool's result within its time limit, or why there is none."""
        try:
            async with asyncio.timeout(tool.timeout_s):
                answer = await (run(use) if run is not None else tool.run(arguments, use))
            if tool.has_effect:
                self.call_context.after_effect()
            self.call_context.known_addresses.update(source.url for source in answer.sources)
            return answer
        except TimeoutError:
            return TOOK_TOO_LONG
        except ToolFailed as failure:
            return str(failure)
        except Exception:
            logger.exception("tool_crashed", tool=tool.name)
            return CRASHED

    def asked_on(
        self, asked: ModelRequest, said: str, wanted: Sequence[ToolRequest], answers: Sequence[ToolResponse]
    ) -> ModelRequest:
        """Return the request that continues after the tools' answers."""
        words: tuple[Message, ...] = (ChatText(author="team", text=said),) if said.strip() else ()
        return replace(asked, messages=(*asked.messages, *words, *wanted, *answers), tools=self.offered)


def tool_called_event(agent: str, tool: str, arguments: BaseModel | None) -> ToolCalled:
    """Return the event that a tool is called."""
    args = arguments.model_dump(mode="json") if arguments is not None else {}
    return ToolCalled(agent=agent, tool=tool[:30], args=args)


def tool_returned_event(agent: str, tool: str, found: ToolResult | str, *, started: float) -> ToolReturned:
    """Return the event that a tool called at `started` returned this result, or failed for this reason."""
    return ToolReturned(
        agent=agent,
        tool=tool[:30],
        ok=isinstance(found, ToolResult),
        summary=(found if isinstance(found, str) else found.summary)[:SUMMARY_CHARACTERS],
        ms=round((monotonic() - started) * 1000, 3),
    )


def _text_for_model(found: ToolResult | str, *, by_others: bool) -> str:
    """Return a result as text for the model; text by others is marked as quoted."""
    if isinstance(found, str):
        return found[:ANSWER_CHARACTERS]
    text = found.model_dump_json(exclude_none=True)
    return f"{QUOTED_MATERIAL_NOTE}\n{text}"[:ANSWER_CHARACTERS] if by_others else text[:ANSWER_CHARACTERS]


def parse_arguments(tool: Tool, text: str) -> tuple[BaseModel | None, str]:
    """Return a tool's arguments parsed from a model's JSON, or None and the errors, worded for the model."""
    try:
        return tool.arguments.model_validate_json(text or "{}"), ""
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:5]]
        return None, "The arguments are invalid: " + "; ".join(faults)
