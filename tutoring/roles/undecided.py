"""A turn of which nobody knows yet whose it is: the facts of each agent that could serve it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps

from agents.graph import Choice
from agents.roles import Plan, Request
from tutoring.roles.facts import DiagnosisFacts, LessonFacts, LobbyFacts, PathFacts

type Planning = Callable[[Request], Plan]
type Facts = LessonFacts | LobbyFacts | PathFacts | DiagnosisFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class UndecidedFacts:
    """What the coordinator chooses by, and what those it chooses among work from."""

    tutor: LessonFacts | LobbyFacts
    """The tutor serves whatever is nobody else's."""
    others: Mapping[str, Facts] = field(default_factory=dict)
    """What a model may answer beside the tutor → the facts that the turn is served by then."""
    otherwise: Facts | None = None
    """The facts that serve where no model answers; None for the tutor's."""
    unasked: Choice | None = None
    """What was chosen then; None where nothing tells what is wanted."""

    @property
    def text(self) -> str:
        return self.tutor.text

    def of(self, answer: str) -> Facts:
        """Return the facts that the turn is served by after this answer of a model's; empty for none."""
        return self.others.get(answer, self.tutor) if answer else self.otherwise or self.tutor


def with_own_facts(plan: Planning) -> Planning:
    """Return an agent's plan, fit for a turn that the coordinator gave it: it works from its own part of the facts."""

    @wraps(plan)
    def planned(request: Request) -> Plan:
        if not isinstance(request.facts, UndecidedFacts):
            return plan(request)
        return plan(replace(request, facts=request.facts.of(answered(request))))

    return planned


def answered(request: Request) -> str:
    """Return whose a model has said the message is; empty where none did."""
    return str(getattr(request.results.get("coordinator"), "agent", ""))
