"""Views of the teachers of a class: invite, accept, remove, leave."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tutoring.access import not_found_text
from tutoring.classes import co_teachers
from tutoring.classes.teacher_access import class_for, classes_for
from tutoring.pages.forms.pupil_forms import TeacherForm
from tutoring.pages.views.class_pupils import pupils_page
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_POST
def add(request: LearnerRequest, code: str) -> HttpResponse:
    """Add a teacher by username."""
    classroom = class_for(request.user, code)
    form = TeacherForm(request.POST)
    if form.is_valid():
        try:
            place = co_teachers.add_teacher(classroom, form.cleaned_data["username"])
        except co_teachers.NoSuchTeacher:
            form.add_error("username", _("No teacher has this username. Check it, or create an invitation link."))
        else:
            messages.success(request, _("%(name)s teaches this class too.") % {"name": place.person})
            return redirect("class-pupils", code)
    return pupils_page(request, classroom, status=422, teacher_form=form)


@never_cache
@login_required
@require_POST
def invite(request: LearnerRequest, code: str) -> HttpResponse:
    """Create an invitation link, and show it for the only time."""
    classroom = class_for(request.user, code)
    address = settings.PUBLIC_URL + reverse("co-teach", args=[co_teachers.make_invite(classroom)])
    return pupils_page(request, classroom, invitation=address)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept(request: LearnerRequest, token: str) -> HttpResponse:
    """Show to which class a teacher is invited; a POST accepts."""
    classes_for(request.user)  # 404 for a person who teaches nobody.
    found = co_teachers.find_invite(token)
    if found is None:
        raise Http404(not_found_text())
    if request.method != "POST":
        return render(request, "tutoring/co_teach.html", {"classroom": found.classroom})
    try:
        classroom = co_teachers.accept_invite(token, request.user)
    except co_teachers.NoSuchTeacher:
        messages.error(request, _("You learn in this class. Leave it first, then open the link again."))
        return redirect("accounts:classes")
    if classroom is None:
        raise Http404(not_found_text())
    messages.success(request, _("You teach %(name)s now.") % {"name": classroom.name})
    return redirect("class", classroom.code)


@login_required
@require_POST
def remove(request: LearnerRequest, code: str, teacher: int) -> HttpResponse:
    """Remove a teacher from the class; who removes themselves leaves it."""
    classroom = class_for(request.user, code)
    try:
        was_there = co_teachers.remove_teacher(classroom, teacher)
    except co_teachers.LastTeacher:
        messages.error(request, _("A class needs at least one teacher. Add another one first, or delete the class."))
        return redirect("class-pupils", code)
    if not was_there:
        raise Http404(not_found_text())
    if teacher == request.user.pk:
        messages.success(request, _("You no longer teach %(name)s.") % {"name": classroom.name})
        return redirect("classes")
    removed = _(
        "The teacher was removed and can no longer see anything of this class. Unused sign-in cards of the class no "
        "longer work. You can print new ones."
    )
    messages.success(request, removed)
    return redirect("class-pupils", code)
