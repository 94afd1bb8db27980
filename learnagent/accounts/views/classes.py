"""The classes one learns in: join one by its code, having read what its teachers will see; leave it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from learnagent.accounts.authentication.rate_limits import Throttle
from learnagent.accounts.requests import PersonRequest
from tutoring.classes import listings
from tutoring.classes.membership import ClassNotFound, find_class, join_class, leave_class
from tutoring.classes.readings import readings_of
from tutoring.classes.teacher_access import place_of
from tutoring.models import Classroom
from tutoring.pages.forms.class_forms import CodeForm

CODES = Throttle(name="class-code", limit=20, window_s=600)
"""Codes that one person may try: enough for typing errors, too few to guess a class."""

READINGS_SHOWN = 20


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def classes(request: PersonRequest) -> HttpResponse:
    """List one's classes. A code in the address shows what is agreed in its class; a POST of it joins."""
    typed = request.POST if request.method == "POST" else request.GET
    if "code" not in typed:
        return _page(request, CodeForm())
    form = CodeForm(typed)
    if not form.is_valid():
        return _page(request, form, status=422)
    if not CODES.count_try(request.user.pk):
        form.add_error("code", _("Too many attempts. Wait ten minutes, then try again."))
        return _page(request, form, status=429)
    try:
        classroom = find_class(form.cleaned_data["code"])
    except ClassNotFound:
        form.add_error("code", _("No class has this code. Check it letter by letter, or ask your teacher."))
        return _page(request, form, status=422)
    if request.method != "POST":
        return _page(request, form, found=classroom)
    join_class(request.user, classroom.code)
    messages.success(request, _("You have joined %(name)s.") % {"name": classroom.name})
    return redirect("accounts:classes")


@login_required
@require_POST
def leave(request: PersonRequest, code: str) -> HttpResponse:
    place = place_of(request.user, code)
    leave_class(request.user, code)
    left = _("You have left %(name)s. Its teachers can no longer see anything about you.")
    messages.success(request, left % {"name": place.classroom.name})
    return redirect("accounts:classes")


def _page(request: PersonRequest, form: CodeForm, *, found: Classroom | None = None, status: int = 200) -> HttpResponse:
    joined = listings.list_joined_classes(request.user)
    context = {"form": form, "joined": joined, "readings": readings_of(request.user, most=READINGS_SHOWN)}
    if found is not None:
        teachers = listings.teacher_names([found])[found.pk]
        context |= {"found": found, "teachers": teachers, "is_in": found in [each["classroom"] for each in joined]}
    response = render(request, "accounts/classes.html", context, status=status)
    if status == 429:
        response["Retry-After"] = str(CODES.window_s)
    return response
