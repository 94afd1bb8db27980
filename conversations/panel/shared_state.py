"""What the panel's agents share about a conversation, and the state of each agent in it: kept in the cache, made from the database.

A value carries the turn that it was made after. One that is missing, or that was made after another turn, is made anew,
so flushing the cache loses nothing. Values are written whole: processes that make the same one at once write the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.core.cache import cache
from django.db.models import QuerySet
from pydantic import BaseModel, ConfigDict

from agents.conf import agent_settings
from agents.engine.registry import roles
from conversations.companion.checkpoints import forget_checkpoint
from conversations.models import OPEN_STATUSES, Message, Session, Turn

CONTEXT_LIFE_S: Final = 30 * 60
"""From the design document of the panel."""
MESSAGES_KEPT, EXCHANGES_KEPT = 10, 5
TURNS_READ: Final = 50
"""The latest turns from which concepts and figures are taken: more are not talked about any longer. Chosen by hand."""
MESSAGE_CHARACTERS: Final = 2_000
"""As many of a message as the panel analyzes."""


class SharedValue(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    session_id: str
    after: str
    """The latest turn that it takes into account; empty for none."""


class ContextMessage(BaseModel):
    author: str
    text: str


class Exchange(BaseModel):
    """A message and its reply."""

    said: str
    replied: str


class ConversationContext(SharedValue):
    """What was said in a conversation before a turn, and what it was about."""

    user_id: int
    messages: tuple[ContextMessage, ...] = ()
    """The latest ten, oldest first."""
    exchanges: tuple[Exchange, ...] = ()
    """The latest five, oldest first."""
    concepts: tuple[str, ...] = ()
    """Named in messages that the panel answered, the latest first and in a message the most important first."""
    entities: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    created_at: datetime
    last_activity: datetime
    exchange_count: int = 0
    agent_data: dict[str, float | None] = {}
    """The confidence of each agent's latest result."""


class AgentState(SharedValue):
    """How an agent has done in a conversation."""

    agent_name: str
    last_update: datetime | None = None
    invocation_count: int = 0
    avg_response_time_ms: float | None = None
    error_count: int = 0


def conversation_context(turn: Turn) -> ConversationContext:
    """Return what the agents that answer this turn share about the conversation before it."""
    turns = _visible(turn.session).filter(number__lt=turn.number)
    after, key = _latest(turns), _context_key(turn.session)
    kept = cache.get(key)
    if isinstance(kept, str) and (context := ConversationContext.model_validate_json(kept)).after == after:
        return context
    context = _context(turn.session, turns, after)
    cache.set(key, context.model_dump_json(), CONTEXT_LIFE_S)
    return context


def agent_states(session: Session, agents: Iterable[str]) -> dict[str, AgentState]:
    """Return how each of these agents has done in a conversation up to now."""
    keys = {_agent_key(each, session): each for each in agents}
    after = _latest(_visible(session))
    kept = [AgentState.model_validate_json(each) for each in cache.get_many(keys).values()]
    found = {each.agent_name: each for each in kept if each.after == after}
    if len(found) == len(keys):
        return found
    states = _states(session, keys.values(), after)
    written = {_agent_key(name, session): state.model_dump_json() for name, state in states.items()}
    cache.set_many(written, agent_settings().state_life_s)
    return states


def forget_conversation(session: Session) -> None:
    """Delete what the cache has of a conversation."""
    agents = {each.public_name for each in roles.values()}
    cache.delete_many([_context_key(session), *(_agent_key(each, session) for each in agents)])
    forget_checkpoint(session)


def _context(session: Session, turns: QuerySet[Turn], after: str) -> ConversationContext:
    fields = (f"answer__{name}" for name in ("concepts", "entities", "themes", "confidence"))
    answers = list(turns.order_by("-number").values("finished_at", *fields)[:TURNS_READ])
    exchanges = list(_exchanges(turns))
    return ConversationContext(
        session_id=session.key,
        after=after,
        user_id=session.owner_id,
        messages=tuple(
            ContextMessage(author=author, text=text)
            for each in exchanges
            for author, text in ((Message.Author.LEARNER, each.said), (Message.Author.TEAM, each.replied))
            if text
        )[-MESSAGES_KEPT:],
        exchanges=tuple(exchanges),
        concepts=_named(answers, "concepts", "name"),
        entities=_named(answers, "entities", "text"),
        themes=tuple(dict.fromkeys(theme for each in answers for theme in each["answer__themes"] or ())),
        created_at=session.created_at,
        last_activity=next((each["finished_at"] for each in answers if each["finished_at"]), session.created_at),
        exchange_count=turns.count(),
        agent_data=next((each["answer__confidence"] for each in answers if each["answer__confidence"]), {}),
    )


def _exchanges(turns: QuerySet[Turn]) -> Iterator[Exchange]:
    """Yield the latest exchanges, oldest first."""
    latest = list(turns.order_by("-number").values_list("pk", flat=True)[:EXCHANGES_KEPT])
    rows = Message.objects.filter(turn__in=latest).values_list("turn", "author", "text")
    texts = {(pk, author): text[:MESSAGE_CHARACTERS] for pk, author, text in rows}
    for pk in reversed(latest):
        yield Exchange(
            said=texts.get((pk, Message.Author.LEARNER), ""), replied=texts.get((pk, Message.Author.TEAM), "")
        )


def _named(answers: Sequence[Mapping[str, Any]], field: str, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found[name] for each in answers for found in each[f"answer__{field}"] or ()))


def _states(session: Session, agents: Iterable[str], after: str) -> dict[str, AgentState]:
    rows = _visible(session).order_by("-number").values_list("finished_at", "answer__metadata", "answer__errors")
    turns = list(rows[:TURNS_READ])
    return {each: _state(each, turns, session_id=session.key, after=after) for each in agents}


def _state(agent: str, turns: Sequence[tuple[Any, ...]], **named: str) -> AgentState:
    """Return an agent's state from the time, metadata and errors of turns, the latest first."""
    took = [(at, (metadata or {}).get("agent_times_ms", {})) for at, metadata, _errors in turns]
    answers = [(at, times[agent]) for at, times in took if agent in times]
    failures = [error for _at, _metadata, errors in turns for error in errors or () if error["agent"] == agent]
    return AgentState(
        agent_name=agent,
        last_update=answers[0][0] if answers else None,
        invocation_count=len(answers),
        avg_response_time_ms=sum(ms for _at, ms in answers) / len(answers) if answers else None,
        error_count=len(failures),
        **named,
    )


def _visible(session: Session) -> QuerySet[Turn]:
    """Return the turns that count; one that still runs would be taken for known before it has ended."""
    return Turn.objects.filter(session_id=session.pk, replaced_by=None).exclude(status__in=OPEN_STATUSES)


def _latest(turns: QuerySet[Turn]) -> str:
    return str(turns.order_by("-number").values_list("pk", flat=True).first() or "")


def _context_key(session: Session) -> str:
    return f"session:{session.owner_id}:{session.pk}:context"


def _agent_key(agent: str, session: Session) -> str:
    return f"agent:{agent}:{session.owner_id}:{session.pk}:state"
