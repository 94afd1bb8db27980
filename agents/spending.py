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
    """None where the price of a call is unknown."""
    is_estimate: bool = False
    input_tokens: int | None = None
    """As providers count them; None where they did not, or where no model was asked."""
    output_tokens: int | None = None


def cost_of(turn_ids: Iterable[uuid.UUID] | QuerySet[Any]) -> Cost:
    """Return what the turns' calls have taken so far."""
    took_something = Q(spent_tokens__gt=0)
    figures = ModelCall.objects.filter(turn_id__in=turn_ids).aggregate(
        calls=Count("pk"),
        provider=Max("backend", filter=took_something, default=""),
        tokens=Sum("spent_tokens", default=0),
        usd=Sum("spent_usd", default=Decimal(0)),
        unpriced=Count("pk", filter=took_something & Q(spent_usd=None)),
        uncounted=Count("pk", filter=took_something & Q(output_tokens=None)),
        read=Sum("input_tokens"),
        written=Sum("output_tokens"),
    )
    uncounted = bool(figures["uncounted"])
    return Cost(
        calls=figures["calls"],
        provider=figures["provider"],
        tokens=figures["tokens"],
        usd=None if figures["unpriced"] else float(figures["usd"]),
        is_estimate=uncounted,
        input_tokens=None if uncounted else figures["read"],
        output_tokens=None if uncounted else figures["written"],
    )
