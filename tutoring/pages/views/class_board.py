"""Views of a class for its teachers: the board, one learner, answers, conversations."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agents.wire.csv_export import csv_lines
from tutoring.access import concept_for
from tutoring.classes import board_export, concerns, contested, learner_page, mastery_board, membership, readings
from tutoring.classes.board_filter import read_filter
from tutoring.classes.board_page import board_context
from tutoring.classes.class_version import class_with_version
from tutoring.classes.teacher_access import class_for, learner_in, readable_session
from tutoring.mastery.records import contests
from tutoring.models import AccessLog, Contest, Membership
from tutoring.pages.context_processors import concerns_of
from tutoring.pages.forms.contest_form import DecisionForm
from tutoring.pages.views.requests import LearnerRequest, answer_from, polling_login_required

NO_CHANGE = 204


@polling_login_required
@require_safe
def board(request: LearnerRequest, code: str) -> HttpResponse:
    """Show the class; for a poll by the page itself, send what changes, and nothing if nothing happened."""
    classroom, version = class_with_version(request.user, code)
    is_poll = bool(request.headers.get("HX-Request"))
    if is_poll and version == request.GET.get("seen"):
        return HttpResponse(status=NO_CHANGE)
    told = concerns_of(request)
    context = board_context(classroom, read_filter(request.GET.dict()), concerns=told) | {"version": version}
    if not is_poll:
        return render(request, "tutoring/class.html", context)
    shown = cast("mastery_board.ClassBoard | None", context["board"])
    if shown is None:
        return HttpResponse(status=NO_CHANGE)
    if context["total"] and "empty" in request.GET:
        # The polling page has no table yet to put the first learner in.
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "tutoring/class.html#news", context | {"oob": True})


@login_required
@require_safe
def export_board(request: LearnerRequest, code: str) -> HttpResponse:
    classroom = class_for(request.user, code)
    context = board_context(classroom, read_filter(request.GET.dict()))
    shown = cast("mastery_board.ClassBoard | None", context["board"])
    if shown is None or not classroom.policy.shows_levels:
        raise Http404
    # The byte order mark tells a spreadsheet program that this is UTF-8.
    response = HttpResponse(
        "\ufeff" + csv_lines(board_export.board_table(shown)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{code}-{shown.course.slug}.csv"'
    return response


@login_required
@require_POST
def remove_learner(request: LearnerRequest, code: str, learner: int) -> HttpResponse:
    place = _place(request, code, learner)
    membership.remove_pupils(place.classroom, [place.person_id])
    messages.success(request, _("%(name)s is no longer in the class.") % {"name": place.person})
    return redirect("class", code)


@login_required
@require_POST
def mark_concern_seen(request: LearnerRequest, code: str, learner: int) -> HttpResponse:
    """Record that a teacher has seen that the learner may need help."""
    concerns.mark_seen(_place(request, code, learner), by=request.user)
    messages.success(request, _("Marked as seen. Thank you."))
    return redirect("home") if "home" in request.POST else redirect("class", code)


@login_required
@require_POST
def decide_contest(request: LearnerRequest, code: str, learner: int, contest: int) -> HttpResponse:
    """Record what a teacher decides about a grade that the learner says is wrong, and go on where it was shown."""
    place = _place(request, code, learner)
    found = contested.contest_of(place, contest)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect(contested.teacher_url(found, place.classroom))
    decided = contests.decide(
        found, form.cleaned_data["decision"] or "kept", by=request.user, note=form.cleaned_data["note"]
    )
    messages.success(request, _decided_words(decided))
    return redirect(contested.teacher_url(found, place.classroom))


def _decided_words(contest: Contest) -> str:
    if contest.decision == Contest.Decision.KEPT:
        return _("Saved. The pupil can see that you looked at it.")
    if contest.about == Contest.About.IDEA:
        return _("Saved. This mistaken idea is no longer on the pupil’s list.")
    if contest.recounted:
        return _("Saved. The answer no longer counts, and the score was recalculated without it.")
    return _(
        "Saved. The score stays the same. Either this answer never counted toward it, or it can’t be recalculated "
        "without this answer."
    )


@login_required
@require_safe
def evidence(request: LearnerRequest, code: str, learner: int, course: str, concept: str) -> HttpResponse:
    """Show the learner's answers on a concept, and record that they were opened."""
    place = _place(request, code, learner)
    if not place.classroom.policy.shows_answers:
        raise Http404
    upto = answer_from(request)
    shown = learner_page.evidence_context(place, concept_for(request.user, course, concept), upto=upto)
    readings.note_reading(request.user, place, AccessLog.Kind.ANSWERS)
    return render(request, "tutoring/class_evidence.html", {"place": place, "learner": place.person, **shown})


@login_required
@require_safe
def conversation(request: LearnerRequest, code: str, learner: int, session: int) -> HttpResponse:
    """Show a conversation, and record that it was opened: the learner is told."""
    place = _place(request, code, learner)
    found, policy = readable_session(place, session), place.classroom.policy
    since = policy.readable_since(place.joined_at)
    assert since is not None  # Otherwise there would be no session to read.
    shown = learner_page.transcript(found, since=since, with_answers=policy.shows_answers)
    readings.note_reading(request.user, place, AccessLog.Kind.CONVERSATION, session=found)
    return render(request, "tutoring/class_conversation.html", {"place": place, **shown})


def _place(request: LearnerRequest, code: str, learner: int) -> Membership:
    return learner_in(class_for(request.user, code), learner)
