"""Meals: log, plan, list, patterns, and suggestions from what was eaten. Counts and ratings only, no advice on health."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from tutoring.models import Meal, Workspace
from tutoring.planner.records.changes import ChangeRecorder
from tutoring.planner.records.limits import PAGE_SIZE

COUNTED: Final = 1_000
"""The latest meals that patterns and suggestions are made from."""
MOST_SUGGESTED: Final = 3
NOT_AGAIN_WITHIN: Final = timedelta(days=2)
"""What was eaten within these days is not suggested, if there is something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MealPatterns:
    """What a person has eaten over some days."""

    meals: int
    days: int
    """Days with a meal on record."""
    foods: tuple[tuple[str, int], ...]
    """Each food with the number of meals it was part of, the most frequent first."""
    by_kind: tuple[tuple[str, int], ...]
    best: tuple[tuple[str, float], ...]
    """Foods by their mean rating, the best first."""
    of_target: int | None = None
    """Meals with the food that was asked about; None if none was."""


def list_meals(
    workspace: Workspace,
    *,
    after: datetime | None = None,
    before: datetime | None = None,
    kind: str = "",
    planned: bool | None = None,
    size: int = PAGE_SIZE,
) -> list[Meal]:
    """Return the meals in a span of time, the latest first."""
    rows = Meal.objects.inside(workspace)
    if after is not None:
        rows = rows.filter(eaten_at__gte=after)
    if before is not None:
        rows = rows.filter(eaten_at__lt=before)
    if kind:
        rows = rows.filter(kind=kind)
    if planned is not None:
        rows = rows.filter(is_planned=planned)
    return list(rows.order_by("-eaten_at", "-pk")[:size])


def create_meal(
    recorder: ChangeRecorder,
    *,
    foods: Sequence[str],
    kind: str,
    eaten_at: datetime,
    is_planned: bool = False,
    tags: Sequence[str] = (),
    rating: int | None = None,
    notes: str = "",
) -> Meal:
    """Store a meal. Raises TooManyRows."""
    return recorder.make(
        Meal,
        foods=list(foods),
        kind=kind,
        eaten_at=eaten_at,
        is_planned=is_planned,
        tags=list(tags),
        rating=rating,
        notes=notes,
    )


def locked_meal(workspace: Workspace, pk: int) -> Meal | None:
    """Return a meal to be changed; the caller has the transaction."""
    row: Meal | None = Meal.objects.select_for_update().inside(workspace).filter(pk=pk).first()
    return row


def latest_meal(workspace: Workspace, *, kind: str = "") -> Meal | None:
    return next(iter(list_meals(workspace, kind=kind, planned=False, size=1)), None)


def meal_patterns(
    workspace: Workspace, *, now: datetime, since: datetime | None = None, target: str = "", kind: str = ""
) -> MealPatterns:
    """Return what was eaten since then, over all time without it."""
    rows = list_meals(workspace, after=since, before=now, kind=kind, planned=False, size=COUNTED)
    foods: Counter[str] = Counter(each.casefold() for row in rows for each in dict.fromkeys(row.foods))
    ratings: dict[str, list[int]] = {}
    for row in rows:
        if row.rating is not None:
            for each in row.foods:
                ratings.setdefault(each.casefold(), []).append(row.rating)
    best = sorted(
        ((food, sum(each) / len(each)) for food, each in ratings.items()), key=lambda each: (-each[1], each[0])
    )
    wanted = target.casefold()
    return MealPatterns(
        meals=len(rows),
        days=len({row.eaten_at.astimezone(now.tzinfo).date() for row in rows}),
        foods=tuple(foods.most_common(PAGE_SIZE)),
        by_kind=tuple(Counter(str(row.get_kind_display()) for row in rows).most_common()),
        best=tuple(best[:PAGE_SIZE]),
        of_target=sum(_has(row, wanted) for row in rows) if wanted else None,
    )


def suggested_meals(workspace: Workspace, *, now: datetime, kind: str = "") -> list[tuple[str, ...]]:
    """Return meals from the person's history, well rated and often eaten ones first, not those of the last days."""
    rows = list_meals(workspace, before=now, kind=kind, planned=False, size=COUNTED)
    counts: Counter[tuple[str, ...]] = Counter()
    latest: dict[tuple[str, ...], datetime] = {}
    for row in rows:
        if not row.foods or (row.rating is not None and row.rating <= 2):
            continue
        foods = tuple(row.foods)
        # A rating of 5 counts like two more times.
        counts[foods] += 1 + max(0, (row.rating or 3) - 3)
        latest.setdefault(foods, row.eaten_at)
    rested = [foods for foods, _count in counts.most_common() if latest[foods] < now - NOT_AGAIN_WITHIN]
    others = [foods for foods, _count in counts.most_common() if foods not in rested]
    return [*rested, *others][:MOST_SUGGESTED]


def _has(row: Meal, food: str) -> bool:
    stem = food[:-1] if food.endswith("s") and len(food) > 3 else food
    return any(stem in each.casefold() for each in row.foods)


def meals_named(workspace: Workspace) -> Any:
    return Meal.objects.inside(workspace)
