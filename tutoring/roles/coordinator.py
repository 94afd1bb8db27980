"""Routes a message to an agent with a model, outside of any conversation: `manage.py route`."""

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
"""Seconds to wait for a model for a message that no rule can place."""
MOST_READ, MOST_SHOWN = 1_000, 120
"""Characters of a model's reason."""
AGENT_DESCRIPTIONS = {
    "tutor": "explains, answers questions about the topic and anything else said in a lesson",
    "diagnostic": "starts a new topic or goal; finds out what is known already",
    "quiz": "asks questions, gives exercises, continues an open quiz",
    "pathplanner": "says what comes next, how far the learner is, what the path to the goal is",
    "feedback": "looks back on the learner's own answers and mistakes",
    "none": "nobody: the message asks for something that no teaching team does",
}


class CoordinatorAnswer(BaseModel):
    """Which agent a message is for. The reason is a model's own words, shown only through `reason_of`, which checks it."""

    model_config = ConfigDict(frozen=True)

    agent: Literal["tutor", "diagnostic", "quiz", "pathplanner", "feedback", "none"]
    reason: str = Field("", exclude=True)


def plan(request: Request) -> Plan:
    """Leave it to a model: this turn only returns the result."""
    agents = "\n".join(f"- {name}: {served}" for name, served in AGENT_DESCRIPTIONS.items())
    return Plan(background=f"No lesson is under way.\nWho may serve it:\n{agents}")


def reason_of(answer: CoordinatorAnswer) -> str:
    """Return a model's reason if it may be shown."""
    reason = single_line(answer.reason)
    problem = find_policy_problem(reason, questions=0) or find_prompt_quotation(reason, ROLE.prompt)
    return _("This is how a language model understood the message.") if not reason or problem else reason


def single_line(reason: str) -> str:
    """Return a model's reason as one short line of visible characters."""
    seen = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in reason[:MOST_READ])
    words = " ".join(seen.split())
    return words if len(words) <= MOST_SHOWN else words[:MOST_SHOWN].rsplit(" ", 1)[0] + "…"


ROLE = Role(
    name=NAME,
    label=gettext_lazy("Coordinator"),
    purpose=gettext_lazy("works out what a message is about when the rules can’t"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "coordinator.md"),
    result=CoordinatorAnswer,
    timeout_s=TIME_LIMIT_S,
)
