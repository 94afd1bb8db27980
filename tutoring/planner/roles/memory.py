"""The memory agent: what the person asked to be remembered."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.planner.facts import CompanionTurn
from tutoring.planner.roles.serving import companion_plan
from tutoring.planner.tools import memory
from tutoring.planner.tools.common import UNDO_CHANGE


def plan(request: Request) -> Plan:
    """Serve the message's requests to this agent, one after the other."""
    return companion_plan(request, agent="memory")


ROLE = Role(
    name="memory",
    label=gettext_lazy("Notes"),
    purpose=gettext_lazy("remembers what you ask it to remember, and nothing else"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[2] / "prompts" / "memory.md"),
    result=CompanionTurn,
    tools=(*(each.name for each in memory.TOOLS), UNDO_CHANGE.name),
    speaks=True,
)
