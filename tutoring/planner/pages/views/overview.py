"""Today and the week."""

import uuid
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conversations.timestamps import weekday_date
from tutoring.models import Task
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner.first_messages import first_message_to_offer
from tutoring.planner.pages.contexts.day_entries import days_from
from tutoring.planner.pages.contexts.task_list import task_row
from tutoring.planner.pages.contexts.week import week_context
from tutoring.planner.pages.forms.fields import FIRST_DAY, LAST_DAY
from tutoring.planner.pages.place import Place, frame_context, place_of

OVERDUE_SHOWN = 10


@login_required
@require_safe
def today(request: LearnerRequest) -> HttpResponse:
    """Show today, tomorrow in short, and what is overdue."""
    place = place_of(request)
    now, tomorrow = days_from(place, place.today, count=2)
    shown: dict[str, Any] = {
        "day": now,
        "tomorrow": tomorrow,
        "heading": weekday_date(place.today),
        "first_message": first_message_to_offer(place.person, at=place.now),
    }
    context = frame_context(request, place, page="today") | shown | _overdue(place)
    return render(request, "planner/today.html", context)


def _overdue(place: Place) -> dict[str, Any]:
    late = Task.objects.inside(place.workspace).filter(parent=None, done_at=None, due_on__lt=place.today)
    rows = late.order_by("-due_on", "-priority", "pk")
    return {
        "overdue": [task_row(place, each) for each in rows[:OVERDUE_SHOWN]],
        "overdue_more": max(0, rows.count() - OVERDUE_SHOWN),
    }


@login_required
@require_safe
def week(request: LearnerRequest) -> HttpResponse:
    """Show the week of the day in the address; this week without one."""
    place = place_of(request)
    # Names the first turn of a conversation about the week, so that sending it twice starts one.
    talk = {"client_id": uuid.uuid4().hex}
    context = frame_context(request, place, page="week") | week_context(place, _day(request, place)) | talk
    return render(request, "planner/week.html", context)


def _day(request: LearnerRequest, place: Place) -> date:
    try:
        day = date.fromisoformat(request.GET.get("day", ""))
    except ValueError:
        return place.today
    # A week's distance from either end, so that the week before and the week after exist, too.
    return min(max(day, FIRST_DAY + timedelta(days=14)), LAST_DAY - timedelta(days=14))
