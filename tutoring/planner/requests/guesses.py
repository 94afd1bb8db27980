"""Guesses what an agent is asked by a message in which no request was read: a question, or something to store.

A question is answered, because that changes nothing. What would store something is asked back first.
"""

import re
from datetime import datetime
from typing import Final

from tutoring.planner.requests import slots
from tutoring.planner.requests.clauses import plain_clause, straightened
from tutoring.planner.times.time_phrases import find_times, without_times
from tutoring.planner.times.values import TimePhrase, UnclearTime
from tutoring.planner.values import AgentName, PlannerRequest

LONGEST: Final = 200
"""Characters of a message that is stored as a title, if the person agrees."""
_ASKS: Final = re.compile(
    r"(?:and |so |but )*(?:what|when|where|who|which|how|why|is|are|am|do|does|did|have|has|can|could|will|would|should|any|show|list|tell|find)\b|.*\?\s*$",
    re.IGNORECASE,
)
_CHANGES: Final = re.compile(
    r"\b(?:it|that|this|them|one|ones|instead|rather|change|delete|remove|cancel|undo|edit|update)\b", re.IGNORECASE
)


def guess_request(agent: AgentName, text: str, now: datetime) -> PlannerRequest | None:
    """Return what the message may ask of the agent, to be agreed to if it stores something; None for no idea."""
    text = straightened(text.strip())
    times = find_times(text, now)
    when = next((each for each in times if isinstance(each, TimePhrase)), None)
    plain = PlannerRequest(agent=agent, action="list", quote=text, when=when)
    if _ASKS.match(text):
        if agent == "memory":
            return PlannerRequest(agent=agent, action="recall", quote=text, target=text)
        return plain if agent in ("task", "event") else None
    if len(text) > LONGEST or len(text.split()) < 3 or any(isinstance(each, UnclearTime) for each in times):
        return None
    if agent == "memory":
        note = text.rstrip(".! ")
        return PlannerRequest(
            agent=agent, action="remember", quote=text, note=note[:1].upper() + note[1:], missing=("confirm",)
        )
    title = slots.clean_title(plain_clause(without_times(text, times)))
    if _CHANGES.search(text) or len(title.split()) < 2:
        return None
    if agent == "task":
        return PlannerRequest(
            agent=agent, action="create", kind="todo", quote=text, title=title, when=when, missing=("confirm",)
        )
    if agent == "event" and when is not None:
        return PlannerRequest(agent=agent, action="create", quote=text, title=title, when=when, missing=("confirm",))
    return None
