"""A turn of which nobody knows yet whose it is: the facts of each agent that could serve it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from agents.roles import Plan, Request
from tutoring.roles.facts import LessonFacts, LobbyFacts, PathFacts

type Planning = Callable[[Request], Plan]


@dataclass(frozen=True, slots=True, kw_only=True)
class UndecidedFacts:
    """What the coordinator chooses by, and what those it chooses among work from."""

    tutor: LessonFacts | LobbyFacts
    """The tutor serves whatever is nobody else's."""
    others: Mapping[str, LessonFacts | PathFacts]
    """Agent → the facts it would serve the turn by."""

    @property
    def text(self) -> str:
        return self.tutor.text


def with_own_facts(name: str, plan: Planning) -> Planning:
    """Return the agent's plan, fit for a turn that the coordinator gave it: it works from its own part of the facts."""

    @wraps(plan)
    def planned(request: Request) -> Plan:
        return plan(replace(request, facts=own_facts(name, request)))

    return planned


def own_facts(name: str, request: Request) -> Any:
    """Return the facts that the agent works from in this turn."""
    facts = request.facts
    if not isinstance(facts, UndecidedFacts):
        return facts
    if name != "tutor":
        return facts.others[name]
    # Where nobody could say whose the message is, the tutor asks.
    unsure = request.results.get("coordinator") is None
    return replace(facts.tutor, unsure=unsure) if isinstance(facts.tutor, LobbyFacts) else facts.tutor
