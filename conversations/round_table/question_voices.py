"""Voices of collaborators that put the table's question to a tool of their own instead of searching the library."""

from functools import partial
from typing import Final, Protocol, runtime_checkable

from agents.engine.roles import Decided, PlannedToolUse, PlanPart
from agents.engine.toolbox import CRASHED, TOOK_TOO_LONG
from agents.tools import ToolResult
from agents.tools import tools as registered_tools
from conversations.charts.cards import chart_card
from conversations.charts.figures import ChartCard
from conversations.round_table.results import Contribution
from conversations.round_table.voices import Voice, VoiceTask, model_wording, nothing_found

LONGEST_QUESTION: Final = 400
"""Characters of a question that the tools accept."""


@runtime_checkable
class AnswerInWords(Protocol):
    """A tool's result with ready sentences; what a model may read of it is its JSON."""

    words: str


def question_voice(*tools: str) -> Voice:
    """Return a voice that asks these tools, by their argument `question`, in order until one answers.

    It speaks in the first round, and again when the learner has said something.
    """

    def voice(task: VoiceTask) -> tuple[PlanPart, ...]:
        return _ask(task, tools) if task.round == 1 or task.remarks else _decided(task, nothing_found(task))

    return voice


def _ask(task: VoiceTask, tools: tuple[str, ...], refusal: str = "") -> tuple[PlanPart, ...]:
    """Return the use of the first tool; without one, what the last one said instead of an answer."""
    if not tools:
        return _decided(task, refusal or nothing_found(task))
    question = task.remarks[-1] if task.remarks else task.asked
    arguments = registered_tools[tools[0]].arguments(question=question[:LONGEST_QUESTION])
    return (PlannedToolUse(tool=tools[0], arguments=arguments, then=partial(_answered, task, tools[1:], refusal)),)


def _answered(task: VoiceTask, tools: tuple[str, ...], refusal: str, result: ToolResult | str) -> tuple[PlanPart, ...]:
    if isinstance(result, str):
        said = "" if result in (TOOK_TOO_LONG, CRASHED) else result
        return _ask(task, tools, said or refusal)
    if not isinstance(result, AnswerInWords):
        return _ask(task, tools, refusal)
    chart = getattr(result, "chart", None)
    shown = (
        (chart_card(chart, turn_id=str(task.table.turn_id), name=task.seat.name),)
        if isinstance(chart, ChartCard)
        else ()
    )
    decided = Decided(result=Contribution(round=task.round, says="words"))
    if not task.table.has_model:
        return (*shown, decided, result.words)
    # Its JSON leaves out what a model outside this site must not read, such as names of learners who have not consented.
    return (*shown, decided, model_wording(task, material=result.model_dump_json()))


def _decided(task: VoiceTask, remark: str) -> tuple[PlanPart, ...]:
    """Return that nothing was found, and why."""
    return (Decided(result=Contribution(round=task.round, remark=remark)),)
