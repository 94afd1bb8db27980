"""What turns have cost: every real call once, also those of attempts that were cut off."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from agents.models import ModelCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    calls: int = 0
    """How often a model was asked."""
    tokens: int = 0
    usd: float | None = 0.0
    """None where the price of a call is unknown."""
    is_estimate: bool = False
    """Whether somebody did not count: a call that was cut off, or a provider that does not tell."""


def cost_of(turn_ids: Iterable[uuid.UUID] | QuerySet[Any]) -> Cost:
    """Return what the turns' calls have taken so far; open ones with what they have read."""
    took_something = Q(spent_tokens__gt=0)
    figures = ModelCall.objects.filter(turn_id__in=turn_ids).aggregate(
        calls=Count("pk"),
        tokens=Sum("spent_tokens", default=0),
        usd=Sum("spent_usd"),
        unpriced=Count("pk", filter=took_something & Q(spent_usd=None)),
        uncounted=Count("pk", filter=took_something & Q(output_tokens=None)),
    )
    return Cost(
        calls=figures["calls"],
        tokens=figures["tokens"],
        usd=None if figures["unpriced"] else float(figures["usd"] or 0),
        is_estimate=bool(figures["uncounted"]),
    )
