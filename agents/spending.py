"""What turns have cost: every real call once, also those of attempts that were cut off."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from agents.models import ModelCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What calls have taken. Estimates stand for what nobody counted: a call that was cut off, or one still open."""

    calls: int = 0
    """How often a model was asked."""
    provider: str = ""
    """Who took something for it; empty where nobody did."""
    tokens: int = 0
    usd: float | None = 0.0
    """None where no call's price is known."""
    is_estimate: bool = False
    is_lower_bound: bool = False
    """The price of a call is unknown: `usd` is what the others took."""
    input_tokens: int | None = None
    """The sum of what providers counted; None where they counted nothing, or where no model was asked."""
    output_tokens: int | None = None
    counted_usd: float | None = 0.0
    """The sum of what is known for certain, without estimates; None where that is nothing."""
    is_counted_in_part: bool = False
    """A call is missing in `counted_usd`, or in the tokens."""


def cost_of(turn_ids: Iterable[uuid.UUID] | QuerySet[Any]) -> Cost:
    """Return what the turns' calls have taken so far."""
    took_something = Q(spent_tokens__gt=0)
    figures = ModelCall.objects.filter(turn_id__in=turn_ids).aggregate(
        calls=Count("pk"),
        provider=Max("backend", filter=took_something, default=""),
        tokens=Sum("spent_tokens", default=0),
        usd=Sum("spent_usd", default=Decimal(0)),
        took=Count("pk", filter=took_something),
        unpriced=Count("pk", filter=took_something & Q(spent_usd=None)),
        uncounted=Count("pk", filter=took_something & Q(output_tokens=None)),
        read=Sum("input_tokens"),
        written=Sum("output_tokens"),
        counted_usd=Sum("cost_usd"),
        without_cost=Count("pk", filter=took_something & Q(cost_usd=None)),
    )
    took = figures["took"]
    return Cost(
        calls=figures["calls"],
        provider=figures["provider"],
        tokens=figures["tokens"],
        usd=None if took and figures["unpriced"] == took else float(figures["usd"]),
        is_estimate=bool(figures["uncounted"]),
        is_lower_bound=bool(figures["unpriced"]),
        input_tokens=figures["read"],
        output_tokens=figures["written"],
        counted_usd=figures["counted_usd"] if took else 0.0,
        is_counted_in_part=bool(figures["uncounted"] or figures["without_cost"]),
    )
