"""The answer of `POST /chat`: a finished turn in few words, with who spoke and why."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, Field

from conversations.companion.checkpoints import count_turns
from conversations.models import Event, Turn
from conversations.owners import Owner
from conversations.speakers import SPEAKERS_KEY
from conversations.timestamps import wire_time
from conversations.turns.feed import Wire
from conversations.web.answers import OPEN, ResponseSchema, build_answer

Strategy = Literal["rule", "keyword", "classifier", "llm", "current"]
TUTOR: Final = "tutor"
"""Who answers where nothing else is known, such as in a turn that failed before anybody spoke."""


class Handoff(BaseModel):
    """An agent that passed the person on."""

    # Ninja's own schema class looks for an attribute `from`, which Python has no way to write.
    model_config = OPEN

    from_agent: str = Field(alias="from")
    to: str
    reason: str


class ChatRouting(ResponseSchema):
    """Why the message went where it went."""

    strategy: Strategy
    """`current`: it continues what the agent was doing."""
    confidence: float | None
    """The probability that the agent is the right one, 0–1; null if not measured."""
    reason: str


class ChatAnswer(ResponseSchema):
    """The answer to a message."""

    response: str
    """The whole reply in words, as Markdown."""
    agent: str
    """Who spoke last."""
    session_id: str
    turn_count: int
    """Messages that were answered in this session."""
    timestamp: str
    """When the answer was finished."""
    handoffs: list[Handoff]
    """In order; empty if one agent served the message."""
    routing: ChatRouting


def build_chat_answer(turn: Turn, person: Owner) -> ChatAnswer:
    """Return a finished turn as `POST /chat` answers it."""
    events = _latest_attempt(turn)
    handoffs = [
        Handoff.model_validate({name: each[name] for name in ("from", "to", "reason")})
        for each in events
        if each["type"] == "handed_off"
    ]
    routed = next((each for each in events if each["type"] == "routed"), None)
    return ChatAnswer(
        response=build_answer(turn, person).response,
        agent=_last_speaker(turn.answer.get(SPEAKERS_KEY, ()), routed),
        session_id=turn.session.key,
        turn_count=count_turns(turn.session),
        timestamp=wire_time(turn.finished_at) or "",
        handoffs=handoffs,
        routing=_routing(routed),
    )


def _latest_attempt(turn: Turn) -> list[Wire]:
    """Return the turn's routing events; those of its latest attempt alone, if it was resumed."""
    kinds = ("routed", "handed_off", "turn_resumed")
    rows = Event.objects.filter(turn=turn, type__in=kinds).order_by("seq").values_list("body", flat=True)
    events = list(rows)
    resumed = [place for place, each in enumerate(events) if each["type"] == "turn_resumed"]
    return events[resumed[-1] + 1 :] if resumed else events


def _last_speaker(speakers: Sequence[str], routed: Mapping[str, Any] | None) -> str:
    if speakers:
        return speakers[-1]
    return routed["to"] if routed else TUTOR


def _routing(routed: Mapping[str, Any] | None) -> ChatRouting:
    """Return why the turn went where it went; a strategy of a graph's own counts as a rule."""
    if routed is None:
        return ChatRouting(strategy="rule", confidence=None, reason="")
    strategy: Any = routed["strategy"] if routed["strategy"] in get_args(Strategy) else "rule"
    return ChatRouting(strategy=strategy, confidence=routed["confidence"], reason=routed["reason"])
