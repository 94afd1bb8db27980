"""Decides whether one agent answers a turn, although the panel could answer it."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from agents.conf import agent_settings
from conversations.models import OPEN_STATUSES, Event, Session, Turn

SINGLE_AGENT_KEY = "single_agent"
"""In a turn's payload: true if one agent answers it, whatever its conversation says."""


def wants_single_agent(turn: Turn) -> bool:
    """Return whether the person, or the client that sent the message, wants one agent to answer it. No queries."""
    return bool(turn.payload.get(SINGLE_AGENT_KEY)) or turn.session.answered_by == Session.AnsweredBy.TUTOR


def is_panel_used_up(turn: Turn) -> bool:
    """Return whether the panel has answered the turn's owner as often as it may in a minute, over all surfaces."""
    most = agent_settings().panels_per_minute
    return bool(most) and count_recent_panels(turn) >= most


def count_recent_panels(turn: Turn) -> int:
    """Return how many other turns of the owner the panel has answered in the last minute, or is answering.

    An earlier turn that still runs counts until it is known who answers it. Otherwise two turns that start together
    would not see each other; so the later one gives way.
    """
    events = Event.objects.filter(turn=OuterRef("pk"))
    is_open = Q(status__in=OPEN_STATUSES)
    is_undecided = Q(created_at__lte=turn.created_at) & ~Exists(events.filter(type="routed"))
    is_panels = Q(answer__has_key="classification") | (
        is_open & (Exists(events.filter(type="classified")) | is_undecided)
    )
    recent = Turn.objects.filter(owner_id=turn.owner_id, created_at__gt=Now() - timedelta(minutes=1))
    return recent.filter(is_panels, kind=Turn.Kind.MESSAGE).exclude(pk=turn.pk).count()
