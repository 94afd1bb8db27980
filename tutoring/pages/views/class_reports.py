"""Views of a class's reports, and of a guardian's monthly page."""

from collections.abc import AsyncIterator, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.people import zone_named
from agents.wire.csv_export import csv_lines
from tutoring.access import not_found_text
from tutoring.classes import readings
from tutoring.classes.messages import is_teacher
from tutoring.classes.teacher_access import class_for
from tutoring.models import AccessLog, Classroom, GuardianAccess, Membership, ReportSubscription
from tutoring.pages.views.requests import LearnerRequest
from tutoring.reports import guardian_pages, signed_links, weekly_mail
from tutoring.reports.class_report import ClassReport, class_report, report_plots
from tutoring.reports.periods import InvalidPeriod, period_asked
from tutoring.reports.tables import TABLES, summary_text

BYTE_ORDER_MARK = "\ufeff"
"""Tells a spreadsheet program that this is UTF-8."""


@login_required
@require_safe
def reports(request: LearnerRequest, code: str) -> HttpResponse:
    """Show the report of a period, and record that it was read; for unfit dates, say what to change."""
    classroom = class_for(request.user, code)
    context = {
        "classroom": classroom,
        "asked": request.GET,
        "teaches": is_teacher(request.user, classroom),
        "is_subscribed": ReportSubscription.objects.filter(classroom=classroom, teacher_id=request.user.pk).exists(),
    }
    try:
        period = period_asked(request.GET)
    except InvalidPeriod:
        error = _("Choose two dates, the earlier one first, at most a year apart.")
        return render(request, "tutoring/class_reports.html", context | {"error": error}, status=422)
    report = class_report(classroom, period)
    if report is not None:
        readings.note_report(request.user, classroom, report.learners)
        context |= {"report": report, "plots": report_plots(report)}
    return render(request, "tutoring/class_reports.html", context)


@login_required
@require_safe
def export(request: LearnerRequest, code: str, table: str) -> HttpResponseBase:
    """Return a table of the report as CSV."""
    report = _report(request, class_for(request.user, code))
    if table not in TABLES:
        raise Http404(not_found_text())
    readings.note_report(request.user, report.classroom, report.learners)
    rows = list(TABLES[table](report))  # In the language of the request, which is over when they are sent.
    response = StreamingHttpResponse(_pieces(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}-{table}-{report.period.first}.csv"'
    return response


async def _pieces(rows: Sequence[Sequence[object]]) -> AsyncIterator[str]:
    yield BYTE_ORDER_MARK
    for row in rows:
        yield csv_lines([row])


@login_required
@require_safe
def summary(request: LearnerRequest, code: str) -> HttpResponse:
    """Return the figures of the period as a text file, without names."""
    report = _report(request, class_for(request.user, code))
    response = HttpResponse(summary_text(report), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}-{report.period.first}.txt"'
    return response


@login_required
@require_POST
def subscribe(request: LearnerRequest, code: str) -> HttpResponse:
    """Turn the weekly mail about the class on or off."""
    classroom = class_for(request.user, code)
    if not is_teacher(request.user, classroom):
        raise Http404(not_found_text())
    wanted = request.POST.get("action") == "on"
    if wanted and not request.user.email:
        messages.error(request, _("Add an email address to your profile first."))
    else:
        weekly_mail.set_subscription(request.user, classroom, wanted=wanted)
        messages.success(
            request,
            _("You will get a summary every Monday.") if wanted else _("You won’t get the weekly summary any more."),
        )
    return redirect("class-reports", code)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_report(request: HttpRequest, stop: str) -> HttpResponse:
    """Stop a teacher's weekly mail about a class; it works without signing in, and changes nothing before the button."""
    pk = signed_links.subscription_to_stop(stop)
    if pk is None:
        raise Http404(not_found_text())
    rows = ReportSubscription.objects.filter(pk=pk)
    if request.method == "POST":
        rows.delete()
    return render(request, "tutoring/stop_mail.html", {"is_on": rows.exists(), "kind": "report"})


@never_cache
@require_safe
def guardian_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show a pupil's month to whoever has the link, in the pupil's language, and record that it was opened."""
    try:
        found = signed_links.access_of_link(token)
    except signed_links.LinkExpired:
        return render(request, "tutoring/guardian_page.html", {"has_expired": True}, status=410)
    if found is None:
        raise Http404(not_found_text())
    access, month = found
    place = guardian_pages.place_of_access(access)
    _note_opening(request, place)
    with translation.override(access.learner.language), timezone.override(zone_named(access.learner.zone)):
        shown = {"page": guardian_pages.guardian_page(place, month)}
        return render(request, "tutoring/guardian_page.html", shown)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guardian_stop(request: HttpRequest, stop: str) -> HttpResponse:
    """Stop the monthly mails to a guardian, as above. Their address is deleted."""
    access = signed_links.access_to_stop(stop)
    if access is None:
        raise Http404(not_found_text())
    if request.method == "POST":
        GuardianAccess.objects.filter(pk=access.pk).update(email="")
        access.email = ""
    return render(request, "tutoring/stop_mail.html", {"is_on": bool(access.email), "kind": "guardian"})


def _note_opening(request: HttpRequest, place: Membership) -> None:
    """Record the opening as a guardian's, unless somebody is signed in: a teacher who checks the page is named."""
    if not request.user.is_authenticated:
        readings.note_guardian(place)
    elif request.user.pk != place.person_id:
        readings.note_reading(request.user, place, AccessLog.Kind.GUARDIAN)


def _report(request: LearnerRequest, classroom: Classroom) -> ClassReport:
    """Return the report of the period in the address. Raises Http404 for unfit dates, and where there is none."""
    try:
        report = class_report(classroom, period_asked(request.GET))
    except InvalidPeriod:
        raise Http404(not_found_text()) from None
    if report is None:
        raise Http404(not_found_text())
    return report
