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

    `calls` are rows with the columns `agent` and `ms`.
    """
    return {
        agent: found for (agent,), found in percentiles_by(calls, by=("agent",), of="ms", percents=percents).items()
    }


def percentiles_by(
    rows: QuerySet[Any], *, by: Sequence[str], of: str, percents: Sequence[int] = PERCENTS
) -> dict[tuple[Any, ...], Percentiles]:
    """Return the percentiles of a column, `of`, for each group of rows that have equal columns `by`; one query.

    The database ranks them, as there may be too many to fetch.
    """
    group = [F(each) for each in by] or None
    ranked = rows.order_by().annotate(
        place=Window(RowNumber(), partition_by=group, order_by=F(of).asc()),
        group_size=Window(Count("pk"), partition_by=group),
    )
    wanted = Q()
    for percent in percents:
        # From 0 to 99 at the rank, in whole numbers: a product of floats can lie just above one.
        ranked = ranked.annotate(**{f"over_{percent}": F("place") * 100 - F("group_size") * percent})
        wanted |= Q(**{f"over_{percent}__gte": 0, f"over_{percent}__lt": 100})
    found: dict[tuple[Any, ...], dict[int, float]] = {}
    for value, *more in ranked.filter(wanted).values_list(of, *by, *(f"over_{each}" for each in percents)):
        key, over = tuple(more[: len(by)]), more[len(by) :]
        here = {percent: value for percent, beyond in zip(percents, over, strict=True) if 0 <= beyond < 100}
        found.setdefault(key, {}).update(here)
    return {key: dict(sorted(each.items())) for key, each in found.items()}
