"""The tool that runs programs: offered where there is a place for them, with words for whoever asked."""

import pytest
from pydantic import ValidationError

from agents.sandbox.monty import MontySandbox
from agents.tools import ToolFailed, ToolUse
from agents.tools.code_executor import CodeArguments, code_executor

USE = ToolUse(turn_id=None, person_id=None, agent="tutor", number=1, tool="code_executor")


async def test_program_is_run_and_told_in_a_line() -> None:
    sandbox = MontySandbox()
    tool = code_executor(lambda: sandbox)
    assert tool.is_ready()
    try:
        found = await tool.run(CodeArguments(code="print('hi')\n1 + 2"), USE)
        wrong = await tool.run(CodeArguments(code="x = 1\nprint(y)"), USE)
    finally:
        await sandbox.close()
    assert found.summary == "hi 3"
    assert wrong.summary == "line 2: NameError: name 'y' is not defined"
    assert '"line":2' in wrong.model_dump_json(exclude_none=True)


async def test_where_programs_are_off_the_tool_is_not_offered() -> None:
    tool = code_executor(lambda: None)
    assert not tool.is_ready()
    with pytest.raises(ToolFailed, match="Programs can’t run on this site"):
        await tool.run(CodeArguments(code="1"), USE)


def test_nothing_but_code_is_taken() -> None:
    """B8: what runs it, and within which limits, is not for the asker to say."""
    with pytest.raises(ValidationError):
        CodeArguments.model_validate({"code": "1", "limits": None})
