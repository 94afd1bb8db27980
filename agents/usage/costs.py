"""What turns have cost: every real call once, also those of attempts that were cut off."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from agents.models import ModelCall


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCost:
    """What calls have taken, as the page and the API tell it."""

    calls: int = 0
    """How often a model was asked."""
    provider: str = ""
    """Who took something for it; empty where nobody did."""
    tokens: int = 0
    """Read and written; estimates stand for what nobody counted: a call that was cut off, or one still open."""
    usd: float | None = 0.0
    """The sum of the costs that are known, in US dollars; None where calls took something and no cost is known."""
    is_lower_bound: bool = False
    """The cost of a call is unknown, and missing in `usd`: it has no price, was cut off, or is still open."""
    input_tokens: int | None = None
    """The sum of what providers counted; None where they counted nothing, or where no model was asked."""
    output_tokens: int | None = None


def cost_of(turn_ids: Iterable[uuid.UUID] | QuerySet[Any]) -> TurnCost:
    """Return what the turns' calls have taken so far."""
    took_something = Q(spent_tokens__gt=0)
    # Where the model is free of charge, nobody's count is needed.
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
