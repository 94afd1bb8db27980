"""Using tools for a model: only the role's own, with checked arguments, each in its time, only so often."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from pydantic import BaseModel, ValidationError

from agents.engine.events import Event, ToolCalled, ToolReturned
from agents.engine.model_requests import QUOTED_MATERIAL_NOTE
from agents.engine.roles import PlannedToolUse, Role, accept_all
from agents.llm.base import ChatText, Message, ModelRequest, ToolRequest, ToolResponse
from agents.llm.call_context import NO_CONTEXT, CallContext
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from agents.tools import tools as registered_tools

logger = logging.getLogger(__name__)

MAX_USES = 8
"""Uses of tools by one agent in one run; after that the model answers without."""
MAX_MISUSES = 2
"""Uses that could not be read, or named no tool of the role's, before the model answers without."""
ANSWER_CHARACTERS = 20_000
"""What a model is told of one use, at most."""
SUMMARY_CHARACTERS = 200
ANSWER_LEAK_MESSAGE = "That would give an answer away that the learner is to find."


class Toolbox:
    """The tools of one agent's answer, and how often it was wrong in asking for them."""

    def __init__(
        self,
        role: Role,
        behalf: CallContext,
        *,
        known: Mapping[str, Tool] = registered_tools,
        guard: Callable[[str], str] = accept_all,
    ) -> None:
        self.agent = role.name
        self.guard = guard
        """Over a model's words: what it asks a tool is shown beside the answer, and tells as much as a sentence."""
        # Nobody's is everybody's: nothing is kept on it.
        self.behalf = CallContext() if behalf is NO_CONTEXT else behalf
        named = {name: known[name] for name in role.tools if name in known and known[name].is_ready()}
        self.tools = {name: tool for name, tool in named.items() if self.behalf.consents or not tool.calls_outside}
        self.misuses = 0

    @property
    def uses(self) -> int:
        """How often the agent used a tool in this run, in this answer or an earlier one."""
        return self.behalf.tool_uses.get(self.agent, 0)

    @property
    def offered(self) -> tuple[Tool, ...]:
        """What the model may still ask for."""
        if self.uses >= MAX_USES or self.misuses >= MAX_MISUSES:
            return ()
        return tuple(tool for tool in self.tools.values() if self.allows(tool))

    def allows(self, tool: Tool) -> bool:
        """Tell whether the tool may still be used: what changes or sends something never follows what others wrote."""
        return not (tool.has_effect and self.behalf.has_read_untrusted)

    async def used(self, wanted: Sequence[ToolRequest]) -> AsyncIterator[tuple[Event, ToolResponse | None]]:
        """Use what the model asked for, one after the other: an event before and one after, the second with the answer."""
        for each in wanted:
            tool = self.tools.get(each.name) if self.uses < MAX_USES else None
            arguments, problem = parse_arguments(tool, each.arguments) if tool else (None, "There is no such tool.")
            if arguments is not None and self.guard(" ".join(str(value) for _name, value in arguments)) == "leak":
                arguments, problem = None, ANSWER_LEAK_MESSAGE
            if self.uses >= MAX_USES:
                problem = "No more tools in this answer. Answer with what you have."
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
        """Return what a tool computed for a model, or in words that it is kept back: a program can print an open answer."""
        if isinstance(found, ToolResult) and not tool.is_untrusted and self.guard(found.summary) == "leak":
            return ANSWER_LEAK_MESSAGE
        return found

    async def use_planned(self, use: PlannedToolUse) -> AsyncIterator[tuple[Event, ToolResult | str]]:
        """Use a tool that the role's plan names: an event before and one after, the second with what came of it."""
        tool = self.tools.get(use.tool)
        if tool is None:
            return
        yield tool_called_event(self.agent, use.tool, use.arguments), ""
        started = monotonic()
        found = await self.use(tool, use.arguments)
        yield tool_returned_event(self.agent, use.tool, found, started=started), found

    async def use(self, tool: Tool, arguments: BaseModel) -> ToolResult | str:
        """Return what the tool found, or in words why it found nothing."""
        if not self.allows(tool):
            return "Not after reading what others wrote: a person has to do this."
        self.behalf.tool_uses[self.agent] = self.uses + 1
        use = ToolUse(
            turn_id=self.behalf.turn_id,
            person_id=self.behalf.person_id,
            agent=self.agent,
            number=self.uses,
            tool=tool.name,
            open_addresses=frozenset(self.behalf.known_addresses) if self.behalf.has_read_untrusted else None,
        )
        # Before it is read: a tool that fails half-way may have let some of it through in its words.
        self.behalf.has_read_untrusted |= tool.is_untrusted
        try:
            async with asyncio.timeout(tool.timeout_s):
                answer = await tool.run(arguments, use)
            if tool.has_effect:
                self.behalf.after_effect()
            self.behalf.known_addresses.update(source.url for source in answer.sources)
            return answer
        except TimeoutError:
            return "It took too long."
        except ToolFailed as failure:
            return str(failure)
        except Exception:
            logger.exception("tool=%s crashed", tool.name)
            return "It did not work."

    def asked_on(
        self, asked: ModelRequest, said: str, wanted: Sequence[ToolRequest], answers: Sequence[ToolResponse]
    ) -> ModelRequest:
        """Return the question that goes on from the tools' answers."""
        words: tuple[Message, ...] = (ChatText(author="team", text=said),) if said.strip() else ()
        return replace(asked, messages=(*asked.messages, *words, *wanted, *answers), tools=self.offered)


def tool_called_event(agent: str, tool: str, arguments: BaseModel | None) -> ToolCalled:
    """Return the event that a tool is used."""
    args = arguments.model_dump(mode="json") if arguments is not None else {}
    return ToolCalled(agent=agent, tool=tool[:30], args=args)


def tool_returned_event(agent: str, tool: str, found: ToolResult | str, *, started: float) -> ToolReturned:
    """Return the event that a tool, used since `started`, has found this, or nothing for this reason."""
    return ToolReturned(
        agent=agent,
        tool=tool[:30],
        ok=isinstance(found, ToolResult),
        summary=(found if isinstance(found, str) else found.summary)[:SUMMARY_CHARACTERS],
        ms=round((monotonic() - started) * 1000, 3),
    )


def _text_for_model(found: ToolResult | str, *, by_others: bool) -> str:
    """Return what the model is told of a use; others' words with a word on what they are."""
    if isinstance(found, str):
        return found[:ANSWER_CHARACTERS]
    text = found.model_dump_json(exclude_none=True)
    return f"{QUOTED_MATERIAL_NOTE}\n{text}"[:ANSWER_CHARACTERS] if by_others else text[:ANSWER_CHARACTERS]


def parse_arguments(tool: Tool, text: str) -> tuple[BaseModel | None, str]:
    """Return a tool's arguments from a model's JSON, or None and what is wrong with them, in words for the model."""
    try:
        return tool.arguments.model_validate_json(text or "{}"), ""
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:5]]
        return None, "The arguments do not fit: " + "; ".join(faults)
