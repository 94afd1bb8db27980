"""Flags in a conversation: it stays on the side on which it began, unless the kill switch is on."""

from agents.engine.graph import Graph, role_names
from agents.engine.registry import roles
from agents.people import AudienceMember
from agents.rollout.flags import stays_enabled
from conversations.models import Session


def is_on(name: str, session: Session, owner: AudienceMember) -> bool:
    """Tell whether a flag is on in the conversation of this owner. May query the database."""
    return stays_enabled(name, owner, session.flags)


def roles_off(graph: Graph, session: Session, owner: AudienceMember) -> frozenset[str]:
    """Return the roles of a graph that are switched off in the conversation."""
    flagged = {name: flag for name in role_names(graph.root) if (flag := roles[name].flag)}
    return frozenset(name for name, flag in flagged.items() if not is_on(flag, session, owner))
