"""The memory agent: what the person asked to be remembered."""

from functools import partial
from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Role
from agents.llm.prompt import read_prompt
from tutoring.planner.facts import CompanionTurn
from tutoring.planner.roles.serving import companion_plan
from tutoring.planner.tools import memory
from tutoring.planner.tools.common import UNDO_CHANGE

ROLE = Role(
    name="memory",
    label=gettext_lazy("Notes"),
    purpose=gettext_lazy("remembers what you ask it to remember, and nothing else"),
    plan=partial(companion_plan, agent="memory"),
    prompt=read_prompt(Path(__file__).parents[2] / "prompts" / "memory.md"),
    result=CompanionTurn,
    tools=(*(each.name for each in memory.TOOLS), UNDO_CHANGE.name),
    speaks=True,
)
