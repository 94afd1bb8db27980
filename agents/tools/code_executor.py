"""The tool that runs a program: Python as learners and models write it, in a place where it reaches nothing."""

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from agents.sandbox.program import QUEUE_LIMIT_S, TIME_LIMIT_S, ProgramRun, Sandbox
from agents.tools import Tool, ToolFailed, ToolUse

SPARE_S = 4.0
"""For processes to start and to end, in seconds."""


class CodeArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: str = Field(
        description="A whole Python program. What it prints is returned, and what its last line comes to."
    )


def code_executor(sandbox: Callable[[], Sandbox | None]) -> Tool:
    """Return the tool over the sandbox in force, which is asked for at each use."""

    async def run(arguments: CodeArguments, use: ToolUse) -> ProgramRun:
        place = sandbox()
        if place is None:
            raise ToolFailed("No programs are run here.")
        return await place.run(arguments.code)

    def is_ready() -> bool:
        place = sandbox()
        return place is not None and not place.problem()

    return Tool(
        name="code_executor",
        description=(
            f"Runs a short Python program, for {TIME_LIMIT_S:g} seconds at most: no files, no network, no input(), no packages, "
            "classes without inheritance, no yield. Use it to see what a program does, and for what the calculator cannot."
        ),
        arguments=CodeArguments,
        run=run,
        timeout_s=QUEUE_LIMIT_S + TIME_LIMIT_S + SPARE_S,
        is_ready=is_ready,
    )
