"""One event: shown, changed, moved and cancelled, as a whole or one occurrence of it."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from conversations.timestamps import weekday_date
from tutoring.access import not_found_text
from tutoring.models import CalendarEvent
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner.pages.contexts.day_entries import time_words
from tutoring.planner.pages.forms.entries import LONGEST, EventForm, MoveForm
from tutoring.planner.pages.place import Place, back, entry_for, frame_context, place_of, safe_next
from tutoring.planner.pages.quick_entries import conflict_words
from tutoring.planner.records.changes import change_rows
from tutoring.planner.records.event_moves import CannotMoveAll, move_series
from tutoring.planner.records.events import EventTime, cancel_event, move_event, next_time, series_of
from tutoring.planner.times.recurrence import last_end, occurrences


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def event(request: LearnerRequest, pk: int) -> HttpResponse:
    """Show an event, and save what it is; its time has a form of its own."""
    place = place_of(request)
    found = entry_for(place, CalendarEvent, pk)
    occasion = _occasion(request, place, found)
    form = EventForm(request.POST if request.method == "POST" else None, event=found)
    if not form.is_valid():
        return _page(request, place, occasion, form, status=422 if form.is_bound else 200)
    with change_rows(place.person, place.workspace) as recorder:
        recorder.update(found, **form.cleaned_data)
        if "rule" in form.changed_data:
            recorder.update(found, last_ends_at=last_end(series_of(found)) if found.rule else found.ends_at)
        recorder.words = _("Changed: %(title)s.") % {"title": found.title}
    return back(request, change=recorder.change_id, fallback="planner-week")


def _occasion(request: LearnerRequest, place: Place, found: CalendarEvent) -> EventTime:
    """Return the occurrence that the request names, else the next one, else the first. Raises Http404 if there is none."""
    named = request.POST.get("occurrence") or request.GET.get("at", "")
    if not found.rule:
        named = ""
    if named:
        occasion = occasion_at(found, named)
        if occasion is None:
            raise Http404(not_found_text())
        return occasion
    first = EventTime(event=found, start=found.starts_at, end=found.ends_at, original_start=found.starts_at)
    return (next_time(found, place.now) if found.rule else None) or first


def occasion_at(found: CalendarEvent, start: str) -> EventTime | None:
    """Return the occurrence that starts at this time, in ISO 8601; None if there is none."""
    try:
        at = datetime.fromisoformat(start).astimezone(UTC)
        after, before = at - timedelta(seconds=1), at + timedelta(seconds=1)
    except (ValueError, OverflowError):
        return None
    near = occurrences(series_of(found), after=after, before=before)
    each = next((each for each in near if each.start == at), None)
    if each is None:
        return None
    return EventTime(event=found, start=each.start, end=each.end, original_start=each.original_start)


def _page(
    request: LearnerRequest,
    place: Place,
    occasion: EventTime,
    form: EventForm,
    *,
    moving: MoveForm | None = None,
    status: int = 200,
) -> HttpResponse:
    start, end = occasion.start.astimezone(place.zone), occasion.end.astimezone(place.zone)
    whole = occasion.event.is_all_day
    day = occasion.start.date() if whole else start.date()
    times = {} if whole else {"clock": start.time(), "until": end.time()}
    shown: dict[str, Any] = {
        "event": occasion.event,
        "form": form,
        "moving": moving or MoveForm(initial={"day": day, **times}),
        "when": weekday_date(day, with_year=True) + ("" if whole else f", {time_words(start, end)}"),
        "occurrence": occasion.start.astimezone(UTC).isoformat(),
        "conflict": conflict_words(place, occasion.event) if not occasion.event.rule else "",
    }
    return render(request, "planner/event.html", frame_context(request, place, page="week") | shown, status=status)


@login_required
@require_POST
def move(request: LearnerRequest, pk: int) -> HttpResponse:
    """Move an event. Of a recurring one, the form's `scope` says whether this occurrence or all of them; it asks if not."""
    place = place_of(request)
    found = entry_for(place, CalendarEvent, pk)
    occasion, form = _occasion(request, place, found), MoveForm(request.POST)
    if not form.is_valid():
        return _page(request, place, occasion, EventForm(event=found), moving=form, status=422)
    length = occasion.end - occasion.start
    start, end = form.span(length=length, is_all_day=found.is_all_day, zone=_zone(place, found), was=occasion.start)
    scope = request.POST.get("scope", "")
    if end - start > max(LONGEST, length):
        form.add_error("until", _("An event lasts at most 31 days."))
        return _page(request, place, occasion, EventForm(event=found), moving=form, status=422)
    if found.rule and scope not in ("one", "all"):
        return _ask_which(request, place, occasion, form, start)
    try:
        with change_rows(place.person, place.workspace) as recorder:
            moved = _moved(recorder, occasion, start=start, end=end, scope=scope)
            when = _when_words(start.astimezone(_zone(place, found)), found)
            recorder.words = _moved_words(moved, when) + (f" {said}" if (said := conflict_words(place, moved)) else "")
    except CannotMoveAll as error:
        messages.error(request, str(error))
        return back(request, fallback="planner-week")
    return back(request, change=recorder.change_id, fallback="planner-week")


def _zone(place: Place, found: CalendarEvent) -> ZoneInfo:
    """Return the zone of the form's times: the person's, but whole days are those of the event's own."""
    return ZoneInfo(found.zone) if found.is_all_day else place.zone


def _moved(recorder: Any, occasion: EventTime, *, start: datetime, end: datetime, scope: str) -> CalendarEvent:
    if occasion.event.rule and scope == "all":
        length = end - start
        return move_series(recorder, occasion.event, occurrence=occasion.start, start=start, length=length)
    return move_event(recorder, occasion.event, start=start, end=end, occurrence=occasion.start)


def _when_words(start: datetime, found: CalendarEvent) -> str:
    day = weekday_date(start)
    return day if found.is_all_day else f"{day}, {time_words(start)}"


def _moved_words(moved: CalendarEvent, when: str) -> str:
    return _("%(title)s is now on %(when)s.") % {"title": moved.title, "when": when}


def _ask_which(
    request: LearnerRequest, place: Place, occasion: EventTime, form: MoveForm, start: datetime
) -> HttpResponse:
    """Ask whether only this occurrence is moved, or all of them."""
    shown = {
        "event": occasion.event,
        "occurrence": occasion.start.astimezone(UTC).isoformat(),
        "day": form.cleaned_data["day"].isoformat(),
        "clock": form.cleaned_data["clock"],
        "until": form.cleaned_data["until"],
        "when": _when_words(start.astimezone(_zone(place, occasion.event)), occasion.event),
        "next": safe_next(request, fallback="planner-week"),
    }
    return render(request, "planner/move_which.html", frame_context(request, place, page="week") | shown)


@login_required
@require_POST
def cancel(request: LearnerRequest, pk: int) -> HttpResponse:
    """Cancel an event, or with the scope `one` only this occurrence of it."""
    place = place_of(request)
    found = entry_for(place, CalendarEvent, pk)
    occasion = _occasion(request, place, found)
    only = occasion.start if found.rule and request.POST.get("scope") == "one" else None
    with change_rows(place.person, place.workspace) as recorder:
        cancel_event(recorder, found, occurrence=only)
        recorder.words = _("Deleted: %(title)s.") % {"title": found.title}
    return back(request, change=recorder.change_id, fallback="planner-week")
