"""Tool that runs a Python program of a learner or model in the sandbox."""

from collections.abc import Awaitable, Callable

from pydantic import BaseModel, ConfigDict, Field

from agents.sandbox.program import QUEUE_LIMIT_S, TIME_LIMIT_S, ProgramRun, Sandbox
from agents.tools import Tool, ToolFailed, ToolUse

SPARE_S = 4.0
"""Extra seconds for starting and ending processes."""


class CodeArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: str = Field(description="A whole Python program. Returns its output and the value of its last line.")


type ProgramRule = Callable[[str, int], Awaitable[str]]
"""Takes a program and a person's id; returns why they have to work out what it does, empty if they need not."""

_withholding: list[ProgramRule] = []


def register_program_rule(withholds: ProgramRule) -> None:
    """Register a rule for what is not run for a person, while apps start; registering twice is harmless."""
    if withholds not in _withholding:
        _withholding.append(withholds)


def code_executor(sandbox: Callable[[], Sandbox | None]) -> Tool:
    """Return the tool for the configured sandbox, which is looked up at each use."""

    async def run(arguments: CodeArguments, use: ToolUse) -> ProgramRun:
        place = sandbox()
        if place is None:
            raise ToolFailed("Programs can’t run on this site.")
        if use.person_id is not None:
            for withholds in _withholding:
                if why := await withholds(arguments.code, use.person_id):
                    raise ToolFailed(why)
        return await place.run(arguments.code)

    def is_ready() -> bool:
        place = sandbox()
        return place is not None and not place.problem()

    return Tool(
        name="code_executor",
        description=(
            f"Runs a short Python program, for up to {TIME_LIMIT_S:g} seconds: no files, no network, no input(), no packages, "
            "classes without inheritance, no yield. Use it to see what a program does, and for what the calculator cannot."
        ),
        arguments=CodeArguments,
        run=run,
        timeout_s=QUEUE_LIMIT_S + TIME_LIMIT_S + SPARE_S,
        is_ready=is_ready,
    )
