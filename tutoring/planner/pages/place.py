"""Where a request to the planner stands: whose planner, which workspace, what time it is there."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.db import models
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from agents.people import Person, zone_named
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.models import PlannerSettings, Workspace
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner.pages.change_links import CHANGE_PARAMETER, change_named
from tutoring.planner.pages.contexts.reminders import reminder_notices
from tutoring.planner.records.workspaces import workspace_for, workspaces_of
from tutoring.planner.reminders import open_reminders


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A person's planner in one workspace."""

    person: Person
    workspace: Workspace
    chosen: PlannerSettings
    now: datetime
    """In the person's zone."""

    @property
    def zone(self) -> ZoneInfo:
        zone = zone_named(self.person.zone)
        return zone if isinstance(zone, ZoneInfo) else ZoneInfo("UTC")

    @property
    def today(self) -> date:
        return self.now.date()

    def midnight(self, day: date) -> datetime:
        """Return the beginning of a day, in the person's zone."""
        return datetime(day.year, day.month, day.day, tzinfo=self.zone)

    def day_span(self, day: date, *, days: int = 1) -> tuple[datetime, datetime]:
        """Return the beginning of a day and of the one so many days later."""
        return self.midnight(day), self.midnight(day + timedelta(days=days))


def place_of(request: LearnerRequest) -> Place:
    """Return where the request stands. Raises Http404 for a workspace that is not the person's own.

    The workspace is the one that the request names, as all forms do, else the one shown last.
    """
    person = request.user
    chosen = PlannerSettings.objects.select_related("workspace").filter(owner_id=person.pk).first()
    chosen = chosen or PlannerSettings(owner_id=person.pk)
    named = request.POST.get("workspace") or request.GET.get("workspace")
    if named is None and chosen.workspace is not None:
        workspace = chosen.workspace
    else:
        workspace = own_workspace(person, named or "")
    return Place(
        person=person, workspace=workspace, chosen=chosen, now=timezone.localtime(timezone=zone_named(person.zone))
    )


def own_workspace(person: Person, key: str) -> Workspace:
    """Return the person's workspace. Raises Http404 for any other key."""
    try:
        return workspace_for(person, key)
    except Workspace.DoesNotExist:
        raise Http404(not_found_text()) from None


def entry_for[T: models.Model](place: Place, model: type[T], pk: int) -> T:
    """Return the person's own row of this workspace. Raises Http404 for a removed one, too."""
    manager: Any = model._default_manager
    rows = manager.inside(place.workspace).filter(owner_id=place.person.pk)
    found: T | None = rows.filter(pk=pk).first() if pk < TOO_LARGE else None
    if found is None:
        raise Http404(not_found_text())
    return found


def frame_context(request: LearnerRequest, place: Place, *, page: str) -> dict[str, Any]:
    """Return what the frame of all planner pages shows: the workspaces, what was just changed, and reminders."""
    change = change_named(request, place.person, place.workspace)
    undone = change if change and change.undone_at else None
    latest = change.rows[-1] if change and change.rows else {}
    return {
        "place": place,
        "workspace": place.workspace,
        "workspaces": workspaces_of(place.person),
        "planner_page": page,
        "here": _here(request),
        "change": None if undone else change,
        "undone": undone,
        "changed_kind": latest.get("model"),
        "changed_id": latest.get("id"),
        "reminders": reminder_notices(open_reminders(place.person, at=place.now)),
    }


def back(request: LearnerRequest, *, change: str = "", fallback: str = "planner") -> HttpResponse:
    """Return to the page that the form names, which then tells what was changed and offers to undo it."""
    path, _question, query = safe_next(request, fallback=fallback).partition("?")
    kept = [pair for pair in query.split("&") if pair and not pair.startswith(f"{CHANGE_PARAMETER}=")]
    if change:
        kept.append(urlencode({CHANGE_PARAMETER: change}))
    return redirect(f"{path}?{'&'.join(kept)}" if kept else path)


def safe_next(request: LearnerRequest, *, fallback: str = "planner") -> str:
    """Return the page that the form names; the fallback if that is no page of the planner."""
    to = request.POST.get("next", "")
    inside = to.startswith(reverse("planner")) or to == reverse("home")
    return to if inside and url_has_allowed_host_and_scheme(to, allowed_hosts=None) else reverse(fallback)


def _here(request: LearnerRequest) -> str:
    """Return the page's own address, for its forms to lead back to, without the change that it tells of."""
    query = request.GET.copy()
    query.pop(CHANGE_PARAMETER, None)
    return f"{request.path}?{query.urlencode()}" if query else request.path
