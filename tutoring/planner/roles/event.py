"""The event agent: events, free time and study sessions."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.planner.facts import CompanionTurn
from tutoring.planner.roles.serving import companion_plan
from tutoring.planner.tools import events, study
from tutoring.planner.tools.common import RUN_WORKFLOW, UNDO_CHANGE


def plan(request: Request) -> Plan:
    """Serve the message's requests to this agent, one after the other."""
    return companion_plan(request, agent="event")


ROLE = Role(
    name="event",
    label=gettext_lazy("Calendar"),
    purpose=gettext_lazy("keeps your calendar and plans study sessions"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[2] / "prompts" / "event.md"),
    result=CompanionTurn,
    tools=(*(each.name for each in (*events.TOOLS, *study.TOOLS)), UNDO_CHANGE.name, RUN_WORKFLOW.name),
    speaks=True,
)
