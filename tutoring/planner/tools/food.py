"""The food agent's tools: log, plan, find, rate and delete meals; patterns and suggestions from what was eaten.

They count and compare. Nothing here says what is healthy.
"""

import re
from datetime import date, datetime, time, timedelta
from typing import Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import Field

from agents.tools import Tool
from tutoring.models import Meal
from tutoring.planner.records import events, meals, notes
from tutoring.planner.records.changes import change_of_use, change_rows
from tutoring.planner.records.limits import LONGEST_TITLE
from tutoring.planner.records.search import SearchMode, find_rows
from tutoring.planner.tools.results import PlannerArguments, PlannerResult, PlannerUse, planner_tool, storable
from tutoring.planner.tools.targets import done_before, none_named, rows_named, shown, to_choose
from tutoring.planner.wording import at_time, day_words, joined, listed, lowered, on_day

type MealKind = Literal["breakfast", "lunch", "dinner", "snack"]
USUAL_TIMES: Final = {"breakfast": time(8), "lunch": time(12, 30), "snack": time(16), "dinner": time(19)}
BEFORE_EVENT: Final = timedelta(hours=1)
PATTERN_DAYS: Final = 30
MOST_FOODS: Final = 30
FOOD_NOTES: Final = 3
"""Notes about food that are told with a suggestion."""
_ABOUT_FOOD: Final = re.compile(
    r"\b(?:allerg\w*|intoleran\w*|vegan|vegetarian|halal|kosher|gluten|lactose|diet|eats?|eating|food|"
    r"(?:breakfast|lunch|dinner|snack)s?)\b",
    re.IGNORECASE,
)


class FindMeals(PlannerArguments):
    words: str = Field(default="", max_length=LONGEST_TITLE, description="A food or a meal; empty for all.")
    mode: SearchMode = Field(default="hybrid", description="Compare words, meaning, or both.")
    kind: Literal["", "breakfast", "lunch", "dinner", "snack"] = ""
    day_from: date | None = None
    day_to: date | None = Field(default=None, description="Included.")


class LogMeal(PlannerArguments):
    foods: list[str] = Field(min_length=1, max_length=MOST_FOODS)
    kind: MealKind
    at: datetime | None = Field(default=None, description="When it was or will be eaten, in the person's zone.")
    day: date | None = Field(default=None, description="The day, if no time is known.")
    planned: bool = Field(default=False, description="It is still to be eaten.")
    before_event: str = Field(default="", max_length=LONGEST_TITLE, description="Plan it before (or after) this event.")
    after: bool = False
    rating: int | None = Field(default=None, ge=1, le=5)
    tags: list[str] = Field(default_factory=list, max_length=MOST_FOODS)


class NamedMeal(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="The meal, in words; empty for the latest.")
    meal: int | None = Field(default=None, ge=1, description="The meal's number, if it is known.")
    kind: Literal["", "breakfast", "lunch", "dinner", "snack"] = ""
    day: date | None = None


class RateMeal(NamedMeal):
    rating: int = Field(ge=1, le=5)


class MealHabits(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="Count one food.")
    kind: Literal["", "breakfast", "lunch", "dinner", "snack"] = ""
    day_from: date | None = Field(default=None, description=f"{PATTERN_DAYS} days ago, if it is not given.")


class SuggestMeals(PlannerArguments):
    kind: Literal["", "breakfast", "lunch", "dinner", "snack"] = ""


def find_meals(use: PlannerUse, query: FindMeals) -> PlannerResult:
    """Return meals of these days, the latest first; or those that fit the words."""
    if query.words:
        rows = [each.row for each in find_rows(meals.meals_named(use.workspace), query.words, mode=query.mode)]
        rows = sorted(rows, key=lambda each: each.eaten_at, reverse=True)
    else:
        after = use.midnight(query.day_from) if query.day_from else None
        last = query.day_to or query.day_from
        before = use.midnight(last + timedelta(days=1)) if last else None
        rows = meals.list_meals(use.workspace, after=after, before=before, kind=query.kind)
    if not rows:
        if query.words:
            return PlannerResult(status="none", words=none_named(use, "food", query.words).words)
        span = (
            f" {on_day(query.day_from, use.now)}"
            if query.day_from and query.day_from == (query.day_to or query.day_from)
            else ""
        )
        return PlannerResult(status="none", words=_("There is no meal on record%(span)s.") % {"span": span})
    lead = ngettext("%(count)d meal:", "%(count)d meals:", len(rows)) % {"count": len(rows)}
    return PlannerResult(
        words=f"{lead}\n{listed([_line(use, each) for each in rows])}", rows=[shown(use, each) for each in rows]
    )


def _line(use: PlannerUse, row: Meal) -> str:
    at = row.eaten_at.astimezone(use.zone)
    day = _past_day(at.date(), use)
    words = f"{row.get_kind_display().capitalize()} {day}: {row}"
    facts = [
        _("planned") if row.is_planned else "",
        _("rated %(rating)d of 5") % {"rating": row.rating} if row.rating else "",
        " ".join(f"#{each}" for each in row.tags),
    ]
    notes = ", ".join(filter(None, facts))
    return f"{words} ({notes})" if notes else words


def _past_day(day: date, use: PlannerUse) -> str:
    return _("yesterday") if day == use.now.date() - timedelta(days=1) else on_day(day, use.now)


def log_meal(use: PlannerUse, wanted: LogMeal) -> PlannerResult:
    """Store a meal that was eaten, or is planned."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    at, before = _meal_time(use, wanted)
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        row = meals.create_meal(
            recorder,
            foods=[storable(each)[:LONGEST_TITLE] for each in wanted.foods],
            kind=wanted.kind,
            eaten_at=at,
            is_planned=wanted.planned,
            tags=[storable(each)[:40] for each in wanted.tags],
            rating=wanted.rating,
        )
        foods = joined(row.foods)
        if wanted.planned:
            when = f"{at_time(at, use.now)}{before}"
            recorder.words = _("Planned: %(foods)s as your %(kind)s %(when)s.") % {
                "foods": foods,
                "kind": row.get_kind_display(),
                "when": when,
            }
        else:
            recorder.words = _("Noted: %(foods)s for %(kind)s %(when)s.") % {
                "foods": foods,
                "kind": row.get_kind_display(),
                "when": _past_day(at.date(), use),
            }
            if row.rating:
                recorder.words += " " + _("You rated it %(rating)d of 5.") % {"rating": row.rating}
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def _meal_time(use: PlannerUse, wanted: LogMeal) -> tuple[datetime, str]:
    """Return when a meal is eaten, and what it is before or after in words."""
    if wanted.before_event:
        found = rows_named(use, "event", wanted.before_event, None)
        coming = events.next_time(found[0], use.now) if found else None
        if coming is not None and not coming.event.is_all_day:
            at = (coming.end if wanted.after else coming.start - BEFORE_EVENT).astimezone(use.zone)
            words = _(", after %(event)s") if wanted.after else _(", before %(event)s")
            return at, words % {"event": lowered(coming.event.title)}
    if wanted.at is not None:
        return use.local(wanted.at), ""
    day = wanted.day or use.now.date()
    at = datetime.combine(day, USUAL_TIMES[wanted.kind], tzinfo=use.zone)
    if not wanted.planned and at > use.now:
        at = use.now
    if wanted.planned and wanted.day is None and at < use.now:
        at += timedelta(days=1)
    return at, ""


def rate_meal(use: PlannerUse, wanted: RateMeal) -> PlannerResult:
    """Rate a meal, the latest if none is named."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    found = _meals_meant(use, wanted)
    if len(found) != 1:
        return to_choose(use, found) if found else none_named(use, "food", wanted.target)
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        row = meals.locked_meal(use.workspace, found[0].pk)
        if row is None:
            return none_named(use, "food", wanted.target)
        recorder.update(row, rating=wanted.rating)
        recorder.words = _("%(meal)s: %(rating)d of 5.") % {"meal": str(row).capitalize(), "rating": wanted.rating}
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def delete_meal(use: PlannerUse, wanted: NamedMeal) -> PlannerResult:
    """Remove a meal, the latest if none is named; it can be undone."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    found = _meals_meant(use, wanted)
    if len(found) != 1:
        return to_choose(use, found) if found else none_named(use, "food", wanted.target)
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        row = meals.locked_meal(use.workspace, found[0].pk)
        if row is None:
            return none_named(use, "food", wanted.target)
        recorder.remove(row)
        recorder.words = _("%(meal)s is removed.") % {"meal": _line(use, row)}
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def _meals_meant(use: PlannerUse, wanted: NamedMeal) -> list[Meal]:
    rows = meals.meals_named(use.workspace)
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    if wanted.day is not None:
        rows = rows.filter(
            eaten_at__gte=use.midnight(wanted.day), eaten_at__lt=use.midnight(wanted.day + timedelta(days=1))
        )
    if wanted.target or wanted.meal is not None:
        return rows_named(use, "food", wanted.target, wanted.meal, rows=rows)
    return list(rows.order_by("-eaten_at", "-pk")[:1])


def meal_habits(use: PlannerUse, query: MealHabits) -> PlannerResult:
    """Return what was eaten how often."""
    since = use.midnight(query.day_from or use.now.date() - timedelta(days=PATTERN_DAYS))
    found = meals.meal_patterns(use.workspace, now=use.now, since=since, target=query.target, kind=query.kind)
    span = _("since %(day)s") % {"day": day_words(since.date(), use.now)}
    if not found.meals:
        return PlannerResult(status="none", words=_("There is no meal on record %(span)s.") % {"span": span})
    if found.of_target is not None:
        words = ngettext(
            "%(food)s: in %(count)d of %(meals)d meals on record %(span)s.",
            "%(food)s: in %(count)d of %(meals)d meals on record %(span)s.",
            found.of_target,
        )
        facts = {"food": query.target, "count": found.of_target, "meals": found.meals, "span": span}
        return PlannerResult(words=words % facts)
    lead = ngettext("%(count)d meal on record %(span)s.", "%(count)d meals on record %(span)s.", found.meals)
    lines = [lead % {"count": found.meals, "span": span}]
    often = [f"{food} ({count}×)" for food, count in found.foods[:5]]
    lines.append(_("Most often: %(foods)s.") % {"foods": joined(often)})
    if found.best:
        best = [f"{food} ({rating:.1f})" for food, rating in found.best[:3]]
        lines.append(_("Best rated: %(foods)s.") % {"foods": joined(best)})
    return PlannerResult(words=" ".join(lines))


def suggest_meals(use: PlannerUse, query: SuggestMeals) -> PlannerResult:
    """Return meals from the person's history that they liked or often had, not those of the last days."""
    found = meals.suggested_meals(use.workspace, now=use.now, kind=query.kind)
    if not found:
        kind = str(Meal.Kind(query.kind).label) if query.kind else _("meal")
        words = _(
            "I can only suggest what you have told me about, and there is no %(kind)s on record yet. Tell me what you eat, "
            "and how you like it."
        )
        return PlannerResult(status="none", words=_with_food_notes(use, words % {"kind": kind}))
    options = [joined(each) for each in found]
    words = _("From what you had before: %(meals)s.") % {"meals": "; ".join(options)}
    return PlannerResult(words=_with_food_notes(use, words), options=options)


def _with_food_notes(use: PlannerUse, words: str) -> str:
    """Return the words with what the person asked to be remembered about food."""
    told = [each.text for each in notes.list_notes(use.workspace) if _ABOUT_FOOD.search(each.text)][:FOOD_NOTES]
    if not told:
        return words
    return f"{words}\n\n{_('You asked me to remember:')}\n{listed(told)}"


FIND_MEALS = Tool(
    name="find_meals",
    description="Lists the person's meals, or finds those with some food. Changes nothing.",
    arguments=FindMeals,
    run=planner_tool(find_meals),
)
LOG_MEAL = Tool(
    name="log_meal",
    description="Notes a meal that the person ate, or plans one, when they say so.",
    arguments=LogMeal,
    run=planner_tool(log_meal),
    has_effect=True,
)
RATE_MEAL = Tool(
    name="rate_meal",
    description="Rates a meal from 1 to 5, when the person does.",
    arguments=RateMeal,
    run=planner_tool(rate_meal),
    has_effect=True,
)
DELETE_MEAL = Tool(
    name="delete_meal",
    description="Removes a meal, when the person asks for it. It can be undone.",
    arguments=NamedMeal,
    run=planner_tool(delete_meal),
    has_effect=True,
)
MEAL_HABITS = Tool(
    name="meal_habits",
    description="Counts what the person ate how often, and how they rated it. Changes nothing.",
    arguments=MealHabits,
    run=planner_tool(meal_habits),
)
SUGGEST_MEALS = Tool(
    name="suggest_meals",
    description="Suggests meals from what the person ate before. Changes nothing.",
    arguments=SuggestMeals,
    run=planner_tool(suggest_meals),
)
TOOLS = (FIND_MEALS, LOG_MEAL, RATE_MEAL, DELETE_MEAL, MEAL_HABITS, SUGGEST_MEALS)
