"""Checkpoints of companion sessions: kept in the cache after every turn, made anew from the database where one is missing.

A checkpoint names the turn and the time that it was made after; one of another turn is not used. So flushing the cache
loses nothing, and processes that make the same one at once write the same.
"""

from functools import partial
from typing import Any

from django.core.cache import cache
from django.db import transaction
from pydantic import BaseModel, ConfigDict

from agents.conf import agent_settings
from conversations.companion.state import KEY, companion_state
from conversations.models import OPEN_STATUSES, Session, Turn
from conversations.timestamps import wire_time


class SessionCheckpoint(BaseModel):
    """The state of a companion session, as `GET /session/{session_id}` returns it."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    session_id: str
    user_id: int
    workspace: str
    current_agent: str | None
    """The companion's agent that served last; null if none has. What the tutor answers in between does not change it."""
    previous_agent: str | None
    target_agent: str | None
    """The agent that is to take over next; null for none."""
    handoff_reason: str | None
    agent_contexts: dict[str, Any]
    """What each agent knows of its own subject."""
    turn_count: int
    """Messages that were answered in the session."""
    created_at: str
    updated_at: str


class _Stored(BaseModel):
    after: str
    checkpoint: SessionCheckpoint


def load_checkpoint(session: Session) -> SessionCheckpoint:
    """Return a session's state after its latest finished turn: from the cache, else from the database."""
    after = _after(session)
    kept = cache.get(_key(session))
    if isinstance(kept, str) and (stored := _Stored.model_validate_json(kept)).after == after:
        return stored.checkpoint
    return _save(session, after)


def save_on_commit(session: Session) -> None:
    """Keep a companion session's state once the turn that changes it is stored."""
    if KEY in session.state:
        # A cache that fails must not undo a turn.
        transaction.on_commit(partial(save_checkpoint, session), robust=True)


def save_checkpoint(session: Session) -> None:
    """Keep a session's state in the cache, for STATE_TTL_HOURS; not of one that was deleted while its last turn ran."""
    if Session.objects.filter(pk=session.pk).exists():
        _save(session, _after(session))


def forget_checkpoint(session: Session) -> None:
    """Delete what the cache has of a session's state."""
    cache.delete(_key(session))


def _save(session: Session, after: str) -> SessionCheckpoint:
    checkpoint = _checkpoint(session)
    kept = _Stored(after=after, checkpoint=checkpoint).model_dump_json()
    cache.set(_key(session), kept, agent_settings().state_life_s)
    return checkpoint


def _checkpoint(session: Session) -> SessionCheckpoint:
    state = companion_state(session.state)
    return SessionCheckpoint(
        session_id=session.key,
        user_id=session.owner_id,
        workspace=state.workspace,
        current_agent=state.current_agent,
        previous_agent=state.previous_agent,
        target_agent=state.target_agent,
        handoff_reason=state.handoff_reason,
        agent_contexts=state.contexts,
        turn_count=count_turns(session),
        created_at=wire_time(session.created_at) or "",
        updated_at=wire_time(session.updated_at) or "",
    )


def count_turns(session: Session) -> int:
    """Return how many messages of a session were answered, without those that were edited later."""
    finished = Turn.objects.filter(session_id=session.pk, replaced_by=None).exclude(status__in=OPEN_STATUSES)
    return finished.exclude(kind=Turn.Kind.OPEN).count()


def _after(session: Session) -> str:
    """Return what a checkpoint of this moment is recognized by: the latest turn, how it stands, and the last change."""
    latest = Turn.objects.filter(session_id=session.pk).order_by("-number").values_list("number", "status").first()
    return f"{latest} {session.updated_at.isoformat()}"


def _key(session: Session) -> str:
    # A session's own key is only unique to its owner; the row's is to the site.
    return f"checkpoint:{session.owner_id}-{session.pk}:latest"
