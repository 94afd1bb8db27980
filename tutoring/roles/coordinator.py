"""The coordinator's last resort: where rules and classifier cannot tell whose a message is, a model says."""

import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from agents.graph import Choice
from agents.prompts import prompt_file
from agents.roles import Plan, Request, Role
from agents.speaking import quotes_prompt
from tutoring.roles.facts import LessonFacts, LobbyFacts
from tutoring.roles.session import ROUTING
from tutoring.roles.undecided import UndecidedFacts
from tutoring.rules import leaks
from tutoring.rules.cycle import led_to
from tutoring.rules.manners import problem_in

NAME = "coordinator"
SECONDS = 4.0
"""A message that is nobody's waits no longer for a model."""
MOST_READ, MOST_SHOWN = 1_000, 120
"""Characters of a model's reason."""
SERVES = {
    "tutor": "explains, answers questions about the matter, and whatever else is said in a lesson",
    "pathplanner": "says what comes next, how far the learner is, how the way to the goal goes",
    "feedback": "looks back on the learner's own answers and mistakes",
}


class Coordinated(BaseModel):
    """Whose the message is. The reason is a model's own words: it is told only through `choice`, which looks at it."""

    model_config = ConfigDict(frozen=True)

    agent: Literal["tutor", "pathplanner", "feedback"]
    reason: str = Field("", exclude=True)


def plan(request: Request) -> Plan:
    """Leave it to a model: the result is all that there is to this turn."""
    facts: UndecidedFacts = request.facts
    agents = "\n".join(f"- {name}: {SERVES[name]}" for name in ("tutor", *facts.others))
    return Plan(background=f"{_standing(facts.tutor)}\nWho may serve it:\n{agents}")


def choice(request: Request) -> Choice:
    """Return the branch that the model's answer names, and why; the tutor where it gave none, or none that is open."""
    made = _choice(request)
    state = led_to(request.state.get(ROUTING), "plan" if made.to == "pathplanner" else "learn")
    return replace(made, changed={"last_routed_to": made.to, "routing_reason": made.reason, ROUTING: state})


def _choice(request: Request) -> Choice:
    facts: UndecidedFacts = request.facts
    answer = request.results.get(NAME)
    if not isinstance(answer, Coordinated):
        return Choice(to="tutor", reason=_("Nobody could tell what is wanted: the tutor asks."), came_from=NAME)
    if answer.agent != "tutor" and answer.agent not in facts.others:
        return Choice(to="tutor", reason=_("Nobody else can help with that here."), came_from=NAME)
    reason = one_line(answer.reason)
    if not reason or _problem_in(reason, facts.tutor):
        reason = _("A language model reads the message so.")
    return Choice(to=answer.agent, reason=reason, strategy="llm", came_from=NAME)


def one_line(reason: str) -> str:
    """Return a model's reason as one line that is not long, of characters that one sees."""
    seen = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in reason[:MOST_READ])
    words = " ".join(seen.split())
    return words if len(words) <= MOST_SHOWN else words[:MOST_SHOWN].rsplit(" ", 1)[0] + "…"


def _problem_in(reason: str, facts: LessonFacts | LobbyFacts) -> str:
    """Return in a word why a model's reason must not be shown: it gives the open answer away, say; empty if it may be."""
    instance = facts.open_instance if isinstance(facts, LessonFacts) else None
    if instance is not None and leaks.leaks(reason, instance):
        return "leak"
    return problem_in(reason, questions=0) or quotes_prompt(reason, ROLE.prompt)


def _standing(facts: LessonFacts | LobbyFacts) -> str:
    if isinstance(facts, LobbyFacts):
        return "No lesson is under way."
    under_way = (
        "a question of the quiz waits" if facts.open_instance is not None else facts.cycle.state.replace("_", " ")
    )
    return f"The lesson under way is on: {facts.concept.title} ({under_way})."


ROLE = Role(
    name=NAME,
    label=gettext_lazy("Coordinator"),
    purpose=gettext_lazy("finds out whose a message is, where no rule tells"),
    plan=plan,
    prompt=prompt_file(Path(__file__).parent.parent / "prompts" / "coordinator.md"),
    result=Coordinated,
    timeout_s=SECONDS,
)
