"""Views of the reading material of a course: for learners, and for those who own the course."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from agents.people import Person
from conversations.models import Document
from tutoring.access import TOO_LARGE, course_for, not_found_text
from tutoring.classes.teacher_access import taught_course_for
from tutoring.course_imports.questions import ImportRefused
from tutoring.course_imports.readings import add_reading, attach, pages_of
from tutoring.models import Course, CourseReading
from tutoring.pages.forms.answer_form import validate_storable
from tutoring.pages.views.requests import LearnerRequest


class ReadingForm(forms.Form):
    """A document of the library, and what its license asks for."""

    document = forms.ModelChoiceField(Document.objects.none(), label=gettext_lazy("Document from your library"))
    license = forms.CharField(
        label=gettext_lazy("License"),
        max_length=500,
        validators=[validate_storable],
        help_text=gettext_lazy("Under which terms the text may be used, such as CC BY 4.0 or “own work”."),
    )
    attribution = forms.CharField(
        label=gettext_lazy("Source"),
        required=False,
        max_length=2_000,
        validators=[validate_storable],
        help_text=gettext_lazy("Who wrote the text, and where it was published. Learners see this."),
    )

    def __init__(self, data: Any = None, *, person: Person) -> None:
        super().__init__(data)
        own = Document.objects.filter(owner_id=person.pk, in_library=True, status=Document.Status.READY, problem="")
        field: Any = self.fields["document"]
        field.queryset = own.exclude(media_type__startswith="image/").order_by("name")


@login_required
@require_safe
def reading(request: LearnerRequest, course: str, reading: int) -> HttpResponse:
    """Show a text with its license and source."""
    found = _reading_of(course_for(request.user, course), reading)
    titles = {concept.id: concept.title for concept in found.course.catalogue().concepts}
    sections = [
        section | {"number": at, "topics": [(slug, titles[slug]) for slug in section["concepts"] if slug in titles]}
        for at, section in enumerate(found.sections, start=1)
    ]
    return render(request, "tutoring/course_reading.html", {"reading": found, "sections": sections})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: LearnerRequest, course: str) -> HttpResponse:
    """List the course's texts; a POST adds one, attaches one to other topics, or deletes one."""
    found = _own_course(request, course)
    form = ReadingForm(person=request.user)
    if request.method == "POST":
        if request.POST.get("action") in ("attach", "delete"):
            return _change(request, found)
        form = ReadingForm(request.POST, person=request.user)
        if form.is_valid() and _added(request, found, form):
            return redirect("course-readings", found.slug)
    readings = [{"reading": each, "sections": list(enumerate(each.sections))} for each in found.readings.all()]
    context = {"course": found, "form": form, "readings": readings, "concepts": found.catalogue().concepts}
    return render(request, "tutoring/course_readings.html", context, status=422 if form.errors else 200)


def _added(request: LearnerRequest, course: Course, form: ReadingForm) -> bool:
    given = form.cleaned_data
    document: Document = given["document"]
    try:
        _reading, is_new = add_reading(
            course, pages_of(document), title=str(document), license=given["license"],
            attribution=given["attribution"], digest=document.digest,
        )  # fmt: skip
    except ImportRefused as refused:
        form.add_error("document", str(refused))
        return False
    said = _("The text was added.") if is_new else _("The course already has this text. Nothing was changed.")
    messages.success(request, said)
    return True


def _change(request: LearnerRequest, course: Course) -> HttpResponse:
    given = request.POST.get("reading", "")
    found = _reading_of(course, int(given) if given.isdecimal() else TOO_LARGE)
    if request.POST["action"] == "delete":
        found.delete()
        messages.success(request, _("The text was deleted from the course."))
    else:
        attach(found, {at: request.POST.getlist(f"concepts-{at}") for at in range(len(found.sections))})
        messages.success(request, _("Your changes were saved."))
    return redirect("course-readings", course.slug)


def _own_course(request: LearnerRequest, slug: str) -> Course:
    """Return a course that the teacher owns; for an admin, any."""
    found = taught_course_for(request.user, slug)
    if request.user.role != "admin" and found.owner_id != request.user.pk:
        raise Http404(not_found_text())
    return found


def _reading_of(course: Course, pk: int) -> CourseReading:
    found = CourseReading.objects.filter(course=course, pk=pk).first() if pk < TOO_LARGE else None
    if found is None:
        raise Http404(not_found_text())
    found.course = course
    return found
