"""Asks a model whose a message is, outside of any conversation: `manage.py route`."""

import unicodedata
from pathlib import Path
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from agents.engine.roles import Plan, Request, Role
from agents.engine.speaker import find_prompt_quotation
from agents.llm.prompt import read_prompt
from tutoring.output_checks.output_policy import find_policy_problem

NAME = "coordinator"
TIME_LIMIT_S = 4.0
"""A message that is nobody's waits no longer for a model."""
MOST_READ, MOST_SHOWN = 1_000, 120
"""Characters of a model's reason."""
AGENT_DESCRIPTIONS = {
    "tutor": "explains, answers questions about the matter, and whatever else is said in a lesson",
    "diagnostic": "takes up a new topic or goal; finds out what is known already",
    "quiz": "asks questions, gives exercises, goes on with a quiz that waits",
    "pathplanner": "says what comes next, how far the learner is, how the way to the goal goes",
    "feedback": "looks back on the learner's own answers and mistakes",
    "none": "nobody: the message asks for something that no teaching team does",
}


class CoordinatorAnswer(BaseModel):
    """Whose the message is. The reason is a model's own words: it is told only through `reason_of`, which looks at it."""

    model_config = ConfigDict(frozen=True)

    agent: Literal["tutor", "diagnostic", "quiz", "pathplanner", "feedback", "none"]
    reason: str = Field("", exclude=True)


def plan(request: Request) -> Plan:
    """Leave it to a model: the result is all that there is to this turn."""
    agents = "\n".join(f"- {name}: {served}" for name, served in AGENT_DESCRIPTIONS.items())
    return Plan(background=f"No lesson is under way.\nWho may serve it:\n{agents}")


def reason_of(answer: CoordinatorAnswer) -> str:
    """Return a model's reason as it may be shown."""
    reason = single_line(answer.reason)
    problem = find_policy_problem(reason, questions=0) or find_prompt_quotation(reason, ROLE.prompt)
    return _("A language model reads the message this way.") if not reason or problem else reason


def single_line(reason: str) -> str:
    """Return a model's reason as one line that is not long, of characters that one sees."""
    seen = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in reason[:MOST_READ])
    words = " ".join(seen.split())
    return words if len(words) <= MOST_SHOWN else words[:MOST_SHOWN].rsplit(" ", 1)[0] + "…"


ROLE = Role(
    name=NAME,
    label=gettext_lazy("Coordinator"),
    purpose=gettext_lazy("finds out what a message is about when no rule can tell"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "coordinator.md"),
    result=CoordinatorAnswer,
    timeout_s=TIME_LIMIT_S,
)
