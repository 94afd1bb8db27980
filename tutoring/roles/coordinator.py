"""The coordinator's last resort: where rules and classifier cannot tell whose a message is, a model says."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from agents.graph import Choice
from agents.prompts import prompt_file
from agents.roles import Plan, Request, Role
from agents.speaking import quotes_prompt
from tutoring.roles.facts import DiagnosisFacts, LessonFacts, LobbyFacts, PathFacts
from tutoring.roles.guarding import open_question, problem
from tutoring.roles.session import ROUTING
from tutoring.roles.undecided import Facts, UndecidedFacts, answered
from tutoring.rules.cycle import RoutingState, led_to

NAME = "coordinator"
SECONDS = 4.0
"""A message that is nobody's waits no longer for a model."""
MOST_READ, MOST_SHOWN = 1_000, 120
"""Characters of a model's reason."""
SERVES = {
    "tutor": "explains, answers questions about the matter, and whatever else is said in a lesson",
    "diagnostic": "takes up a new topic or goal; finds out what is known already",
    "quiz": "asks questions, gives exercises, goes on with a quiz that waits",
    "pathplanner": "says what comes next, how far the learner is, how the way to the goal goes",
    "feedback": "looks back on the learner's own answers and mistakes",
    "none": "nobody: the message asks for something that no teaching team does",
}


LEADS_TO: Final[Mapping[str, RoutingState]] = {"pathplanner": "plan", "diagnostic": "diagnose"}


class Coordinated(BaseModel):
    """Whose the message is. The reason is a model's own words: it is told only through `choice`, which looks at it."""

    model_config = ConfigDict(frozen=True)

    agent: Literal["tutor", "diagnostic", "quiz", "pathplanner", "feedback", "none"]
    reason: str = Field("", exclude=True)


def plan(request: Request) -> Plan:
    """Leave it to a model: the result is all that there is to this turn."""
    facts: UndecidedFacts = request.facts
    agents = "\n".join(f"- {name}: {SERVES[name]}" for name in ("tutor", *facts.others))
    return Plan(background=f"{_standing(facts.tutor)}\nWho may serve it:\n{agents}")


def choice(request: Request) -> Choice:
    """Return the branch that the model's answer leads to, and why; what had been chosen without one where it gave none."""
    facts: UndecidedFacts = request.facts
    answer = request.results.get(NAME)
    serves = facts.of(answered(request))
    made = _choice(facts, answer if isinstance(answer, Coordinated) else None, serves)
    state = led_to(request.state.get(ROUTING), LEADS_TO.get(made.to, "learn"))
    changed: dict[str, Any] = {"last_routed_to": made.to, "routing_reason": made.reason, ROUTING: state}
    if isinstance(serves, DiagnosisFacts):
        changed |= {"current_topic": serves.topic.id, "goals": [goal.id for goal in serves.path.goals]}
    return replace(made, came_from=NAME, changed=changed)


def _choice(facts: UndecidedFacts, answer: Coordinated | None, serves: Facts) -> Choice:
    if answer is None:
        return facts.unasked or Choice(to="tutor", reason=_("Nobody could tell what is wanted: the tutor asks."))
    to = _branch(answer.agent, serves)
    if answer.agent != "tutor" and answer.agent not in facts.others:
        return Choice(to=to, reason=_("Nobody else can help with that here."))
    if isinstance(serves, LobbyFacts) and answer.agent not in ("tutor", "none"):
        return Choice(to=to, reason=instead_of(answer.agent), strategy="llm")
    return Choice(to=to, reason=reason_of(answer, facts.tutor), strategy="llm")


def _branch(agent: str, serves: Facts) -> str:
    """Return who serves a turn with these facts, where the agent was named for it."""
    match serves:
        case DiagnosisFacts():
            return "diagnostic"
        case PathFacts():
            return "pathplanner"
        case LessonFacts() if agent in ("quiz", "feedback"):
            return agent
        case _:
            return "tutor"


def instead_of(agent: str) -> str:
    """Return why the tutor serves a message in the place of the agent it is for, while no lesson is chosen."""
    if agent == "quiz":
        return _("Wants to be questioned; on what is still to say.")
    return _("No topic is chosen yet.")


def reason_of(answer: Coordinated, facts: LessonFacts | LobbyFacts) -> str:
    """Return a model's reason as it may be shown."""
    reason = one_line(answer.reason)
    return _("A language model reads the message so.") if not reason or _problem_in(reason, facts) else reason


def one_line(reason: str) -> str:
    """Return a model's reason as one line that is not long, of characters that one sees."""
    seen = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in reason[:MOST_READ])
    words = " ".join(seen.split())
    return words if len(words) <= MOST_SHOWN else words[:MOST_SHOWN].rsplit(" ", 1)[0] + "…"


def _problem_in(reason: str, facts: LessonFacts | LobbyFacts) -> str:
    """Return in a word why a model's reason must not be shown: it gives the open answer away, say; empty if it may be."""
    question = open_question(facts) if isinstance(facts, LessonFacts) else None
    return problem(reason, question=question, questions=0) or quotes_prompt(reason, ROLE.prompt)


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
