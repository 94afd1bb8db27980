"""The companion's part of a session's state: which agent serves it, and what each knows of its own subject."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from conversations.companion.workspaces import PERSONAL
from conversations.models import Session

KEY: Final = "companion"
"""The key of the companion's part in `Session.state`."""


class CompanionState(BaseModel):
    """The companion's part of a session's state. What is missing has its default, so that a new session needs none."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    workspace: str = PERSONAL
    current_agent: str | None = None
    """The companion's agent that served last; None if none has. What the tutor answers in between does not change it."""
    previous_agent: str | None = None
    target_agent: str | None = None
    """The agent that is to take over next."""
    handoff_reason: str | None = None
    contexts: dict[str, Any] = {}
    """Agent → what it knows of its own subject."""


def companion_state(state: Mapping[str, Any]) -> CompanionState:
    """Return the companion's part of a session's state; the defaults where there is none, or one of another version."""
    try:
        return CompanionState.model_validate(state.get(KEY) or {})
    except ValidationError:
        return CompanionState()


def enter_workspace(session: Session, workspace: str) -> bool:
    """Make a workspace the session's own; empty: stay in the one it has. Return whether the state changed.

    The caller saves the session. What the agents knew belongs to the workspace that is left, and is dropped.
    """
    found = session.state.get(KEY) or {}
    before = found.get("workspace", PERSONAL)
    after = workspace or before
    session.state[KEY] = {**found, "workspace": after} if after == before else {"workspace": after}
    return bool(session.state[KEY] != found)
