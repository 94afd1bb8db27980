"""The calendar as a feed for calendar apps, and calendar files that are imported."""

import secrets
from datetime import datetime
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import condition, require_POST, require_safe

from tutoring.access import not_found_text
from tutoring.models import CalendarEvent, PlannerSettings
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner.icalendar_files import MOST_BYTES, ImportReport, NotACalendar, read_ical, to_ical
from tutoring.planner.pages.place import Place, back, frame_context, place_of
from tutoring.planner.records.calendar_import import entry_of, import_entries, known_uids
from tutoring.planner.records.changes import TooManyRows, change_rows
from tutoring.planner.signed_links import new_feed_key, settings_of_feed

SHOWN: Final = 50
"""Entries in the preview of an import; the others are only counted."""
KEPT_S: Final = 30 * 60
"""How long an uploaded file waits for the person to confirm it."""


def _feed_state(request: HttpRequest, token: str) -> tuple[PlannerSettings, datetime | None, int] | None:
    """Return whose feed it is, when its events were changed last, and how many there are; one query for both."""
    found = settings_of_feed(token)
    if found is None:
        return None
    state = CalendarEvent.objects.filter(owner_id=found.owner_id).aggregate(at=Max("updated_at"), count=Count("pk"))
    return found, state["at"], state["count"]


def _etag(request: HttpRequest, token: str) -> str | None:
    state = _feed_state(request, token)
    if state is None:
        return None
    found, at, count = state
    return f'"{found.feed_key[:8]}-{count}-{at.timestamp() if at else 0}"'


def _modified(request: HttpRequest, token: str) -> datetime | None:
    state = _feed_state(request, token)
    return state[1] if state else None


@require_safe
@condition(etag_func=_etag, last_modified_func=_modified)
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the events of all the person's workspaces to a calendar app; nothing if they are as it knows them."""
    state = _feed_state(request, token)
    if state is None:
        raise Http404(not_found_text())
    found, at, _count = state
    rows = CalendarEvent.objects.kept().filter(owner_id=found.owner_id).order_by("pk")
    with translation.override(found.owner.language):
        data = to_ical((entry_of(row) for row in rows.iterator()), name=_("Planner"), made_at=at or timezone.now())
    headers = {"Content-Disposition": 'inline; filename="planner.ics"'}
    return HttpResponse(data, content_type="text/calendar; charset=utf-8", headers=headers)


@login_required
@require_POST
def change_feed(request: LearnerRequest) -> HttpResponse:
    """Give the feed a new address, which ends the old one, or none."""
    key = "" if request.POST.get("what") == "end" else new_feed_key()
    PlannerSettings.objects.update_or_create(owner_id=request.user.pk, defaults={"feed_key": key})
    said = _("Your calendar has a new address.") if key else _("The address no longer works.")
    messages.success(request, said)
    return redirect("planner-settings")


@login_required
@require_POST
def preview(request: LearnerRequest) -> HttpResponse:
    """Read an uploaded calendar file, and show what would be imported."""
    place = place_of(request)
    upload = request.FILES.get("file")
    if upload is None:
        messages.error(request, _("Choose a file first."))
        return redirect("planner-settings")
    data = upload.read(MOST_BYTES + 1)
    try:
        report = read_ical(data, place.zone)
    except NotACalendar as error:
        messages.error(request, str(error))
        return redirect("planner-settings")
    token = secrets.token_hex(16)
    cache.set(_kept_key(request.user, token), data, KEPT_S)
    shown = {"report": report, "token": token} | _counted(place, report)
    return render(request, "planner/import.html", frame_context(request, place, page="settings") | shown)


def _counted(place: Place, report: ImportReport) -> dict[str, Any]:
    there = known_uids(place.workspace, report.taken)
    return {
        "taken": [{"entry": each, "is_there": each.uid in there} for each in report.taken[:SHOWN]],
        "taken_more": max(0, len(report.taken) - SHOWN),
        "skipped": report.skipped[:SHOWN],
        "skipped_more": max(0, len(report.skipped) - SHOWN),
    }


@login_required
@require_POST
def import_file(request: LearnerRequest) -> HttpResponse:
    """Import the file that was previewed."""
    place = place_of(request)
    key = _kept_key(request.user, request.POST.get("token", "")[:32])
    data = cache.get(key)
    if data is None:
        messages.error(request, _("The file was kept for half an hour only. Choose it again."))
        return redirect("planner-settings")
    try:
        report = read_ical(data, place.zone)
        with change_rows(place.person, place.workspace) as recorder:
            done = import_entries(recorder, report.taken)
            recorder.words = _imported_words(done.new, done.changed)
    except (NotACalendar, TooManyRows):
        messages.error(request, _("The file could not be imported: this workspace would have too many events."))
        return redirect("planner-settings")
    cache.delete(key)
    return back(request, change=recorder.change_id, fallback="planner-week")


def _imported_words(new: int, changed: int) -> str:
    said = ngettext("%(count)d event was imported.", "%(count)d events were imported.", new) % {"count": new}
    if not changed:
        return said
    more = ngettext("%(count)d event was updated.", "%(count)d events were updated.", changed) % {"count": changed}
    return f"{said} {more}"


def _kept_key(person: Any, token: str) -> str:
    return f"planner-import-{person.pk}-{''.join(each for each in token if each.isalnum())}"
