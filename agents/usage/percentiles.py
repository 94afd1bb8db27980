"""Percentiles by nearest rank: the smallest value with at least that share of the values up to it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

Percentiles = Mapping[int, float]
"""Percent → value."""
PERCENTS: Final = (50, 95, 99)


def percentiles_of(values: Sequence[float]) -> Percentiles:
    """Return the percentiles of the values; empty without values."""
    ordered = sorted(values)
    return {percent: ordered[-(-len(ordered) * percent // 100) - 1] for percent in PERCENTS} if ordered else {}


def percentiles_by_agent(calls: QuerySet[Any], *, percents: Sequence[int] = PERCENTS) -> dict[str, Percentiles]:
    """Return the percentiles of each agent's durations, in milliseconds; one query.

    `calls` are rows with the columns `agent` and `ms`. The database ranks them, as there may be too many to fetch.
    """
    ranked = calls.order_by().annotate(
        place=Window(RowNumber(), partition_by=F("agent"), order_by=F("ms").asc()),
        of=Window(Count("pk"), partition_by=F("agent")),
    )
    wanted = Q()
    for percent in percents:
        # From 0 to 99 at the rank, in whole numbers: a product of floats can lie just above one.
        ranked = ranked.annotate(**{f"over_{percent}": F("place") * 100 - F("of") * percent})
        wanted |= Q(**{f"over_{percent}__gte": 0, f"over_{percent}__lt": 100})
    found: dict[str, dict[int, float]] = {}
    for agent, ms, *over in ranked.filter(wanted).values_list("agent", "ms", *(f"over_{each}" for each in percents)):
        here = {percent: ms for percent, beyond in zip(percents, over, strict=True) if 0 <= beyond < 100}
        found.setdefault(agent, {}).update(here)
    return {agent: dict(sorted(each.items())) for agent, each in found.items()}
