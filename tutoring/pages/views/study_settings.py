"""A learner's days and reminders, the link that stops mails, and the calendar."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from agents.people import zone_named
from tutoring.access import not_found_text
from tutoring.models import StudySettings
from tutoring.pages.forms.study_settings import StudySettingsForm
from tutoring.pages.views.requests import LearnerRequest
from tutoring.reminders.review_calendar import review_calendar
from tutoring.reminders.signed_links import (
    calendar_address,
    settings_of_calendar,
    settings_to_stop,
    settings_to_stop_messages,
)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def study_settings(request: LearnerRequest) -> HttpResponse:
    """Show and save the settings; `renew` gives the calendar a new address."""
    kept = StudySettings.objects.filter(learner_id=request.user.pk).first()
    instance = kept or StudySettings(learner_id=request.user.pk)
    address = calendar_address(instance)
    if "renew" in request.POST:
        return _renew(request, kept)
    posted = request.POST if request.method == "POST" else None
    form = StudySettingsForm(posted, instance=instance, person=request.user)
    if not form.is_valid():
        context = {"form": form, "calendar_address": address}
        return render(request, "tutoring/study_settings.html", context, status=422 if form.is_bound else 200)
    form.save()
    messages.success(request, _("Saved."))
    return redirect("study-settings")


def _renew(request: LearnerRequest, kept: StudySettings | None) -> HttpResponse:
    if kept is not None and kept.calendar_key:
        kept.renew_calendar()
        kept.save(update_fields=["calendar_key"])
        messages.success(request, _("Your calendar has a new address. The old one no longer works."))
    return redirect("study-settings")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_reminders(request: LearnerRequest, stop: str) -> HttpResponse:
    """Stop the mails of whoever got the link; it works without signing in, and changes nothing before the button."""
    wanted = settings_to_stop(stop)
    if wanted is None:
        raise Http404(not_found_text())
    if request.method == "POST":
        StudySettings.objects.filter(pk=wanted.pk).update(mails=False)
        wanted.mails = False
    return render(request, "tutoring/stop_reminders.html", {"is_on": wanted.mails})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_messages(request: LearnerRequest, stop: str) -> HttpResponse:
    """Stop the mails about messages of teachers, as above."""
    wanted = settings_to_stop_messages(stop)
    if wanted is None:
        raise Http404(not_found_text())
    if request.method == "POST":
        StudySettings.objects.filter(pk=wanted.pk).update(message_mails=False)
        wanted.message_mails = False
    return render(request, "tutoring/stop_messages.html", {"is_on": wanted.message_mails})


@never_cache
@require_safe
def calendar(request: LearnerRequest, calendar: str) -> HttpResponse:
    """Return the calendar of reviews to a calendar app, in the learner's language and by their clock."""
    wanted = settings_of_calendar(calendar)
    if wanted is None:
        raise Http404(not_found_text())
    with translation.override(wanted.learner.language), timezone.override(zone_named(wanted.learner.zone)):
        text = review_calendar(wanted.learner, at=timezone.now())
    disposition = {"Content-Disposition": 'inline; filename="reviews.ics"'}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=disposition)
