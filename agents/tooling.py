"""Using tools for a model: only the role's own, with checked arguments, each in its time, only so often."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from pydantic import BaseModel, ValidationError

from agents.events import Event, ToolCalled, ToolReturned
from agents.llm.base import Asked, Message, Said, ToolAnswered, ToolAsked
from agents.llm.behalf import NOBODY, Behalf
from agents.roles import Role
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from agents.tools import tools as registered_tools

logger = logging.getLogger(__name__)

USES = 8
"""Uses of tools by one agent in one run; after that the model answers without."""
MISUSES = 2
"""Uses that could not be read, or named no tool of the role's, before the model answers without."""
ANSWER_CHARACTERS = 20_000
"""What a model is told of one use, at most."""
SUMMARY_CHARACTERS = 200


class Toolbox:
    """The tools of one agent's answer, and how often it was wrong in asking for them."""

    def __init__(self, role: Role, behalf: Behalf, *, known: Mapping[str, Tool] = registered_tools) -> None:
        self.agent = role.name
        self.behalf = behalf
        self.tools = {name: known[name] for name in role.tools if name in known and known[name].is_ready()}
        self.used_by = {} if behalf is NOBODY else behalf.tool_uses
        self.misuses = 0

    @property
    def uses(self) -> int:
        """How often the agent used a tool in this run, in this answer or an earlier one."""
        return self.used_by.get(self.agent, 0)

    @property
    def offered(self) -> tuple[Tool, ...]:
        """What the model may still ask for."""
        spent = self.uses >= USES or self.misuses >= MISUSES
        return () if spent else tuple(self.tools.values())

    async def used(self, wanted: Sequence[ToolAsked]) -> AsyncIterator[tuple[Event, ToolAnswered | None]]:
        """Use what the model asked for, one after the other: an event before and one after, the second with the answer."""
        for each in wanted:
            tool = self.tools.get(each.name) if self.uses < USES else None
            arguments, problem = read_arguments(tool, each.arguments) if tool else (None, "There is no such tool.")
            if self.uses >= USES:
                problem = "No more tools in this answer. Answer with what you have."
            shown = arguments.model_dump(mode="json") if arguments is not None else {}
            yield ToolCalled(agent=self.agent, tool=each.name[:30], args=shown), None
            started = monotonic()
            if tool is None or arguments is None:
                self.misuses += 1
                found: ToolResult | str = problem
            else:
                self.used_by[self.agent] = self.uses + 1
                found = await self.use(tool, arguments)
            ok = isinstance(found, ToolResult)
            text, summary = _told(found)
            event = ToolReturned(
                agent=self.agent,
                tool=each.name[:30],
                ok=ok,
                summary=summary[:SUMMARY_CHARACTERS],
                ms=round((monotonic() - started) * 1000, 3),
            )
            yield event, ToolAnswered(id=each.id, name=each.name, text=text, ok=ok)

    async def use(self, tool: Tool, arguments: BaseModel) -> ToolResult | str:
        """Return what the tool found, or in words why it found nothing."""
        use = ToolUse(
            turn_id=self.behalf.turn_id,
            person_id=self.behalf.person_id,
            agent=self.agent,
            number=self.uses,
            tool=tool.name,
        )
        try:
            async with asyncio.timeout(tool.timeout_s):
                answer = await tool.run(arguments, use)
            if tool.has_effect:
                self.behalf.after_effect()
            return answer
        except TimeoutError:
            return "It took too long."
        except ToolFailed as failure:
            return str(failure)
        except Exception:
            logger.exception("tool=%s crashed", tool.name)
            return "It did not work."

    def asked_on(self, asked: Asked, said: str, wanted: Sequence[ToolAsked], answers: Sequence[ToolAnswered]) -> Asked:
        """Return the question that goes on from the tools' answers."""
        words: tuple[Message, ...] = (Said(author="team", text=said),) if said.strip() else ()
        return replace(asked, messages=(*asked.messages, *words, *wanted, *answers), tools=self.offered)


def _told(found: ToolResult | str) -> tuple[str, str]:
    """Return what the model is told of a use, and what the record says of it."""
    if isinstance(found, str):
        return found[:ANSWER_CHARACTERS], found
    return found.model_dump_json(exclude_none=True)[:ANSWER_CHARACTERS], found.summary


def read_arguments(tool: Tool, text: str) -> tuple[BaseModel | None, str]:
    """Return a tool's arguments from a model's JSON, or None and what is wrong with them, in words for the model."""
    try:
        return tool.arguments.model_validate_json(text or "{}"), ""
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:5]]
        return None, "The arguments do not fit: " + "; ".join(faults)
