"""An agent that calculates percentages, such as 15% of 80."""

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel

from agents.engine.graph import Graph
from agents.engine.registry import register_graph, register_role
from agents.engine.roles import Decided, Plan, PlannedToolUse, PlanPart, Request, Role, Wording
from agents.llm.prompt import make_prompt
from agents.tools import ToolResult
from agents.tools.calculator import Calculation, CalculatorArguments

PERCENTAGE = re.compile(r"\d+(?:\.\d+)?\s?% of \d+(?:\.\d+)?")


class PercentageResult(BaseModel):
    """The agent's result, which later agents in the same run can read."""

    calculation: str = ""
    """Empty if there was nothing to calculate."""


def plan(request: Request) -> Plan:
    """Calculate the percentage that the message asks for. If there is none, ask the learner for one."""
    found = PERCENTAGE.search(request.text)
    if found is None:
        return Plan(say=(_("Ask me for a percentage, such as 15% of 80."),), result=PercentageResult())
    arguments = CalculatorArguments(expression=found[0])
    return Plan(say=(PlannedToolUse(tool="calculator", arguments=arguments, then=say_result),))


def say_result(calculated: ToolResult | str) -> tuple[PlanPart, ...]:
    """Say the tool's result. If a model is connected, the model words it."""
    if not isinstance(calculated, Calculation):
        return (_("I could not calculate that."), Decided(result=PercentageResult()))
    words = calculated.summary
    said = Wording(words=words, task=f"Tell the learner this result: {words}.")
    return (said, Decided(result=PercentageResult(calculation=words)))


ROLE = register_role(
    Role(
        name="percentages",
        purpose=gettext_lazy("Calculates percentages."),
        label=gettext_lazy("Percentages"),
        plan=plan,
        prompt=make_prompt("percentages", "You tell learners the results of calculations, in one short sentence."),
        result=PercentageResult,
        tools=("calculator",),
        timeout_s=5.0,
        speaks=True,
    )
)
GRAPH = register_graph(Graph(name="percentages", root="percentages"))
