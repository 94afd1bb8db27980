"""Costs of turns: every real call counts once, including attempts that were cut off."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from agents.models import ModelCall


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCost:
    """The total of a turn's calls, as shown on the page and in the API."""

    calls: int = 0
    """Number of model requests."""
    provider: str = ""
    """The provider that charged for it; empty if none did."""
    tokens: int = 0
    """Input and output tokens; estimated for calls that were not counted: cut off, or still open."""
    usd: float | None = 0.0
    """Sum of the known costs, in US dollars; None if calls used tokens and no cost is known."""
    is_lower_bound: bool = False
    """A cost is unknown and missing in `usd`: the call has no price, was cut off, or is still open."""
    input_tokens: int | None = None
    """Sum of what providers counted; None if they counted nothing, or no model was asked."""
    output_tokens: int | None = None


def cost_of(turn_ids: Iterable[uuid.UUID] | QuerySet[Any]) -> TurnCost:
    """Return the total of the turns' calls so far."""
    took_something = Q(spent_tokens__gt=0)
    # For a free model no count is needed.
    is_charged = Q(spent_usd=None) | Q(spent_usd__gt=0)
    figures = ModelCall.objects.filter(turn_id__in=turn_ids).aggregate(
        calls=Count("pk"),
        provider=Max("backend", filter=took_something, default=""),
        tokens=Sum("spent_tokens", default=0),
        usd=Sum("cost_usd", default=0.0),
        took=Count("pk", filter=took_something),
        unknown=Count("pk", filter=took_something & is_charged & Q(cost_usd=None)),
        read=Sum("input_tokens"),
        written=Sum("output_tokens"),
    )
    unknown = figures["unknown"]
    return TurnCost(
        calls=figures["calls"],
        provider=figures["provider"],
        tokens=figures["tokens"],
        usd=None if unknown and unknown == figures["took"] else figures["usd"],
        is_lower_bound=bool(unknown),
        input_tokens=figures["read"],
        output_tokens=figures["written"],
    )
