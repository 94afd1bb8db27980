"""The road to a goal, and the day by which it is wanted."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tutoring.access import course_for
from tutoring.models import Course, Goal
from tutoring.pages.contexts.goal_path import courses_of, goal_path_context
from tutoring.pages.forms.goal_date import GoalDateForm
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_safe
def my_path(request: LearnerRequest) -> HttpResponse:
    """Lead to the road in the course of the newest goal, else in the first course."""
    newest = courses_of(request.user)[:1]
    courses = Course.objects.listed_for(request.user)
    course = courses.filter(pk__in=newest).first() or courses.first()
    return redirect("path", course=course.slug) if course else redirect("learn")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def path(request: LearnerRequest, course: str) -> HttpResponse:
    """Show the road; a POST sets the day of a goal."""
    found = course_for(request.user, course)
    stop = request.GET.get("stop", "")
    if request.method != "POST":
        return _page(request, found, GoalDateForm(), stop=stop)
    form = GoalDateForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, stop=stop, status=422)
    goals = Goal.objects.open().filter(learner_id=request.user.pk, concept__course=found)
    day = form.cleaned_data["due_on"]
    if not goals.filter(concept__slug=form.cleaned_data["concept"]).update(due_on=day):
        messages.error(request, _("That is not one of your goals. Nothing was changed."))
    else:
        messages.success(request, _("The date is saved.") if day else _("Your goal no longer has a date."))
    return redirect("path", course=found.slug)


def _page(request: LearnerRequest, course: Course, form: GoalDateForm, *, stop: str, status: int = 200) -> HttpResponse:
    context = goal_path_context(request.user, course, stop=stop)
    if context["road"] is None:
        return redirect(course)
    return render(request, "tutoring/path.html", context | {"form": form, "client_id": uuid.uuid4().hex}, status=status)
