"""Meals: log, change, rate and delete."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tutoring.models import Meal
from tutoring.models.planner import HIGHEST_RATING
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner.pages.contexts.meals import meals_context
from tutoring.planner.pages.forms.entries import MealForm
from tutoring.planner.pages.place import Place, back, entry_for, frame_context, place_of
from tutoring.planner.records.changes import TooManyRows, change_rows
from tutoring.planner.records.meals import create_meal


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meals(request: LearnerRequest) -> HttpResponse:
    """Show the meals, and log one by the form."""
    place = place_of(request)
    foods = request.GET.get("foods", "")[:300]
    now = place.now
    initial = {"day": now.date(), "clock": now.time(), "foods": foods, "kind": _usual_kind(now.hour)}
    form = MealForm(request.POST if request.method == "POST" else None, initial=initial)
    if not form.is_valid():
        return _page(request, place, form, is_open=bool(foods) or form.is_bound)
    try:
        with change_rows(place.person, place.workspace) as recorder:
            made = create_meal(recorder, **form.fields_of_row())
            recorder.words = _("%(kind)s: %(foods)s.") % {"kind": made.get_kind_display().capitalize(), "foods": made}
    except TooManyRows:
        form.add_error(None, _("This workspace is full. Delete what you no longer need, then try again."))
        return _page(request, place, form, is_open=True)
    return back(request, change=recorder.change_id, fallback="planner-meals")


def _usual_kind(hour: int) -> str:
    return Meal.Kind.BREAKFAST if hour < 11 else Meal.Kind.LUNCH if hour < 15 else Meal.Kind.DINNER


def _page(request: LearnerRequest, place: Place, form: MealForm, *, is_open: bool) -> HttpResponse:
    asked = request.GET.get("page", "")
    number = int(asked) if asked.isdecimal() and len(asked) < 7 else 1
    shown: dict[str, Any] = {"form": form, "is_open": is_open}
    shown |= meals_context(place, page=number, tag=request.GET.get("tag", "")[:60])
    context = frame_context(request, place, page="meals") | shown
    return render(request, "planner/meals.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meal(request: LearnerRequest, pk: int) -> HttpResponse:
    """Show and save a meal."""
    place = place_of(request)
    found = entry_for(place, Meal, pk)
    form = MealForm(request.POST if request.method == "POST" else None, initial=MealForm.initial_of(found))
    if not form.is_valid():
        context = frame_context(request, place, page="meals") | {"meal": found, "form": form}
        return render(request, "planner/meal.html", context, status=422 if form.is_bound else 200)
    with change_rows(place.person, place.workspace) as recorder:
        recorder.update(found, **form.fields_of_row())
        recorder.words = _("Changed: %(title)s.") % {"title": found}
    return back(request, change=recorder.change_id, fallback="planner-meals")


@login_required
@require_POST
def rate(request: LearnerRequest, pk: int) -> HttpResponse:
    """Rate a meal; the rating that it has is taken back."""
    place = place_of(request)
    found = entry_for(place, Meal, pk)
    given = request.POST.get("rating", "")
    rating = int(given) if given in {str(number) for number in range(1, HIGHEST_RATING + 1)} else None
    with change_rows(place.person, place.workspace) as recorder:
        recorder.update(found, rating=None if rating == found.rating else rating)
        recorder.words = _("Rated: %(title)s.") % {"title": found}
    return back(request, change=recorder.change_id, fallback="planner-meals")


@login_required
@require_POST
def remove(request: LearnerRequest, pk: int) -> HttpResponse:
    place = place_of(request)
    found = entry_for(place, Meal, pk)
    with change_rows(place.person, place.workspace) as recorder:
        recorder.remove(found)
        recorder.words = _("Deleted: %(title)s.") % {"title": found}
    return back(request, change=recorder.change_id, fallback="planner-meals")
