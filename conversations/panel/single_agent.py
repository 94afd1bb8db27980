"""Decides whether one agent answers a turn, although the panel could answer it, and whether a round table may start."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from agents.conf import agent_settings
from conversations.models import OPEN_STATUSES, Event, Session, Turn
from conversations.owners import Owner
from conversations.round_table.names import PAYLOAD_KEY

SINGLE_AGENT_KEY = "single_agent"
"""In a turn's payload: true if one agent answers it, whatever its conversation says."""


def wants_single_agent(turn: Turn) -> bool:
    """Return whether the person, or the client that sent the message, wants one agent to answer it. No queries."""
    return bool(turn.payload.get(SINGLE_AGENT_KEY)) or turn.session.answered_by == Session.AnsweredBy.TUTOR


def is_panel_used_up(turn: Turn) -> bool:
    """Return whether several agents have answered the turn's owner as often as they may in a minute, over all surfaces."""
    most = agent_settings().panels_per_minute
    return bool(most) and count_recent_panels(turn) >= most


def is_rate_used_up(owner: Owner) -> bool:
    """Return the same for a turn that has not begun yet."""
    most = agent_settings().panels_per_minute
    is_undecided = Q(~Exists(Event.objects.filter(turn=OuterRef("pk"), type="routed")))
    return bool(most) and _recent_panels(owner.pk, is_undecided).count() >= most


def count_recent_panels(turn: Turn) -> int:
    """Return how many other turns of the owner several agents have answered in the last minute, or are answering.

    An earlier turn that still runs counts until it is known who answers it. Otherwise two turns that start together
    would not see each other; so the later one gives way.
    """
    is_routed = Exists(Event.objects.filter(turn=OuterRef("pk"), type="routed"))
    is_undecided = Q(~is_routed, created_at__lte=turn.created_at)
    return _recent_panels(turn.owner_id, is_undecided).exclude(pk=turn.pk).count()


def _recent_panels(owner_id: int, is_undecided: Q) -> QuerySet[Turn]:
    """Return a person's panels and round tables of the last minute, with open turns that may become one."""
    is_open = Q(status__in=OPEN_STATUSES)
    is_classified = Exists(Event.objects.filter(turn=OuterRef("pk"), type="classified"))
    is_panels = Q(answer__has_key="classification") | (is_open & (Q(is_classified) | is_undecided))
    recent = Turn.objects.filter(owner_id=owner_id, created_at__gt=Now() - timedelta(minutes=1))
    return recent.filter(is_panels | Q(payload__has_key=PAYLOAD_KEY), kind=Turn.Kind.MESSAGE)
