"""The task agent: tasks, homework, to-dos and reminders."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.planner.facts import CompanionTurn
from tutoring.planner.roles.serving import companion_plan
from tutoring.planner.tools import tasks
from tutoring.planner.tools.common import RUN_WORKFLOW, UNDO_CHANGE


def plan(request: Request) -> Plan:
    """Serve the message's requests to this agent, one after the other."""
    return companion_plan(request, agent="task")


ROLE = Role(
    name="task",
    label=gettext_lazy("Tasks"),
    purpose=gettext_lazy("keeps your tasks, homework and reminders"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[2] / "prompts" / "task.md"),
    result=CompanionTurn,
    tools=(*(each.name for each in tasks.TOOLS), UNDO_CHANGE.name, RUN_WORKFLOW.name),
    speaks=True,
)
