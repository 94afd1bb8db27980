"""Meals: the latest days, what is eaten often and liked, and suggestions from it."""

from datetime import timedelta
from itertools import groupby
from typing import Any, Final

from django.core.paginator import Paginator
from django.urls import reverse

from conversations.timestamps import weekday_date
from tutoring.models import Meal
from tutoring.planner.pages.contexts.day_entries import time_words
from tutoring.planner.pages.place import Place
from tutoring.planner.records.meals import meal_patterns, suggested_meals

PAGE_SIZE: Final = 40
WEEKS_COUNTED: Final = 4
FOODS_SHOWN: Final = 8
BAR_WIDTH: Final = 100


def meals_context(place: Place, *, page: int, tag: str) -> dict[str, Any]:
    """Return a page of the meals by day, the latest first, the patterns of the last weeks, and suggestions."""
    rows = Meal.objects.inside(place.workspace)
    found = [each.pk for each in rows.only("pk", "tags") if tag in each.tags] if tag else None
    rows = rows.filter(pk__in=found) if found is not None else rows
    shown = Paginator(rows.order_by("-eaten_at", "-pk"), PAGE_SIZE).get_page(page)
    return {
        "days": _days(place, list(shown.object_list)),
        "page": shown,
        "tag": tag,
        "patterns": _patterns(place),
        "suggested": [", ".join(foods) for foods in suggested_meals(place.workspace, now=place.now)],
        "weeks": WEEKS_COUNTED,
        "kinds": Meal.Kind.choices,
    }


def _days(place: Place, meals: list[Meal]) -> list[dict[str, Any]]:
    def day_of(meal: Meal) -> Any:
        return meal.eaten_at.astimezone(place.zone).date()

    return [
        {"title": weekday_date(day), "meals": [_row(place, each) for each in rows]}
        for day, rows in groupby(meals, key=day_of)
    ]


def _row(place: Place, meal: Meal) -> dict[str, Any]:
    return {
        "meal": meal,
        "time": time_words(meal.eaten_at.astimezone(place.zone)),
        "url": reverse("planner-meal", args=[meal.pk]),
        "ratings": [(number, number == meal.rating) for number in range(1, 6)],
    }


def _patterns(place: Place) -> dict[str, Any] | None:
    """Return what was eaten in the last weeks; None if nothing is on record."""
    found = meal_patterns(place.workspace, now=place.now, since=place.now - timedelta(weeks=WEEKS_COUNTED))
    if not found.meals:
        return None
    most = found.foods[0][1] if found.foods else 1
    return {
        "meals": found.meals,
        "days": found.days,
        "foods": [
            {"name": name, "count": count, "width": round(count / most * BAR_WIDTH)}
            for name, count in found.foods[:FOODS_SHOWN]
        ],
        "best": [{"name": name, "rating": round(rating, 1)} for name, rating in found.best[:FOODS_SHOWN]],
        "by_kind": found.by_kind,
    }
