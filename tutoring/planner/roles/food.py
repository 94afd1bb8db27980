"""The food agent: meals: no advice on health."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.planner.facts import CompanionTurn
from tutoring.planner.roles.serving import companion_plan
from tutoring.planner.tools import food
from tutoring.planner.tools.common import UNDO_CHANGE


def plan(request: Request) -> Plan:
    """Serve the message's requests to this agent, one after the other."""
    return companion_plan(request, agent="food")


ROLE = Role(
    name="food",
    label=gettext_lazy("Meals"),
    purpose=gettext_lazy("notes your meals, and suggests some from what you had before"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[2] / "prompts" / "food.md"),
    result=CompanionTurn,
    tools=(*(each.name for each in food.TOOLS), UNDO_CHANGE.name),
    speaks=True,
)
