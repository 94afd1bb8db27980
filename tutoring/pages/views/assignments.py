"""Views of a class's assignments, for its teachers."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tutoring.access import TOO_LARGE, not_found_text
from tutoring.assignments.audiences import all_assignments, learners_of
from tutoring.assignments.changes import change_assignment, create_assignment, restore, withdraw
from tutoring.assignments.quiz_work import give_another_try, has_started
from tutoring.assignments.reminders import remind
from tutoring.assignments.summaries import AssignmentSummary, summaries_of
from tutoring.classes.teacher_access import class_for, classes_for
from tutoring.models import Assignment, Classroom, Concept, Course, Membership
from tutoring.pages.contexts import assignments as contexts
from tutoring.pages.forms.assignment_form import AssignmentForm
from tutoring.pages.forms.assignment_values import suggestion
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_safe
def assignments(request: LearnerRequest, code: str) -> HttpResponse:
    classroom = class_for(request.user, code)
    context = contexts.list_assignments(classroom, all_assignments())
    return render(request, "tutoring/class_assignments.html", {"classroom": classroom, **context})


@login_required
@require_safe
def assignment(request: LearnerRequest, code: str, assignment: int) -> HttpResponse:
    summary = summary_for(request, code, assignment)
    return render(request, "tutoring/class_assignment.html", contexts.assignment_context(request.user, summary))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_assignment(request: LearnerRequest, code: str) -> HttpResponse:
    """Show the form of a new assignment, which may start as a copy or with a group and a topic; a POST creates it."""
    classroom = class_for(request.user, code)
    concepts = concepts_to_assign(classroom)
    form = AssignmentForm(
        request.POST or None,
        classroom=classroom,
        concepts=concepts,
        copies=_copied(request),
        suggested=suggestion(request.GET.dict(), classroom, concepts),
    )
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, classroom, form)
    made = create_assignment(classroom, form.draft(), by=request.user)
    messages.success(request, _("Saved. Your pupils will find it on their home page."))
    return redirect(made.teacher_url)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_assignment(request: LearnerRequest, code: str, assignment: int) -> HttpResponse:
    found = summary_for(request, code, assignment).assignment
    form = AssignmentForm(
        request.POST or None, classroom=found.classroom, concepts=concepts_to_assign(found.classroom), changes=found
    )
    if found.is_quiz and has_started(found):
        form.keep_questions()
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, found.classroom, form)
    change_assignment(found, form.draft())
    messages.success(request, _("Saved."))
    return redirect(found.teacher_url)


@login_required
@require_POST
def change(request: LearnerRequest, code: str, assignment: int) -> HttpResponse:
    """Withdraw or restore the assignment, remind those who are not done, or give a pupil another try at a quiz."""
    summary = summary_for(request, code, assignment)
    match request.POST.get("action"):
        case "withdraw":
            withdraw(summary.assignment)
            messages.success(request, _("Withdrawn. Your pupils don’t see it anymore. What they did is kept."))
        case "restore":
            restore(summary.assignment)
            messages.success(request, _("Restored. Your pupils see it again."))
        case "remind" if summary.can_remind:
            _remind(request, summary)
        case "retry":
            _give_another_try(request, summary)
    return redirect("home") if "home" in request.POST else redirect(summary.assignment.teacher_url)


@login_required
@require_safe
def audience(request: LearnerRequest, code: str) -> HttpResponse:
    """Say who would get an assignment, while its form is filled in."""
    asked = request.GET
    places = _preview(
        class_for(request.user, code),
        asked.get("audience", "all"),
        groups=asked.getlist("groups"),
        people=asked.getlist("people"),
    )
    return render(request, "tutoring/assignment_form.html#audience", {"preview": places})


def _preview(
    classroom: Classroom, chosen: str, *, groups: Sequence[str] = (), people: Sequence[str] = ()
) -> list[Membership]:
    """Return who would get an assignment."""
    places = learners_of([classroom])[classroom.pk]
    if chosen == "people":
        return [place for place in places if str(place.pk) in people]
    if chosen == "groups":
        keys = {key for key in groups if key.isdecimal() and len(key) < 19}
        members = set(classroom.groups.filter(pk__in=keys).values_list("members", flat=True))
        return [place for place in places if place.pk in members]
    return places


def summary_for(request: LearnerRequest, code: str, assignment: int) -> AssignmentSummary:
    """Return an assignment of a class that the person may open, with its pupils' progress."""
    classroom = class_for(request.user, code)
    found = summaries_of(classroom, all_assignments().filter(pk=assignment)) if assignment < TOO_LARGE else []
    if not found:
        raise Http404(not_found_text())
    return found[0]


def concepts_to_assign(classroom: Classroom) -> list[Concept]:
    """Return the topics of the class's courses, with their courses, in the order in which they are offered."""
    taught = Course.objects.taught_in(classroom).values("pk")
    rows = Concept.objects.filter(course__in=taught).select_related("course").defer("course__content")
    ordered = rows.order_by("course__position", "course__title", "position")
    retired = {
        (course.pk, each.id)
        for course in Course.objects.taught_in(classroom).defer("content")
        for each in course.catalogue().concepts
        if each.retired
    }
    return [row for row in ordered if (row.course_id, row.slug) not in retired]


def _copied(request: LearnerRequest) -> Assignment | None:
    """Return the assignment that the address names as the one to copy, of any class that the person may open."""
    named = request.GET.get("from", "")
    if not named.isdecimal() or len(named) > 18:
        return None
    rows = all_assignments().with_targets().filter(classroom__in=classes_for(request.user).values("pk"))
    return rows.filter(pk=int(named)).first()


def _form_page(request: LearnerRequest, classroom: Classroom, form: AssignmentForm) -> HttpResponse:
    context = {
        "classroom": classroom,
        "form": form,
        "changes": form.changes,
        "preview": _preview(
            classroom,
            form.initial["audience"],
            groups=form.initial.get("groups", ()),
            people=form.initial.get("people", ()),
        )
        if not form.is_bound
        else None,
    }
    return render(request, "tutoring/assignment_form.html", context, status=422 if form.is_bound else 200)


def _give_another_try(request: LearnerRequest, summary: AssignmentSummary) -> None:
    """Let the pupil whom the form names take the quiz again, if they finished it below its goal."""
    asked = request.POST.get("pupil", "")
    places = {str(place.person_id): place for place in summary.places if summary.sight == "progress"}
    place = places.get(asked)
    if place is None or not contexts.can_retry(summary.progress[place.person_id], summary.assignment):
        return
    if give_another_try(summary.assignment, place.person_id):
        words = _("%(name)s can take the quiz again, with other questions. The best result counts.")
        messages.success(request, words % {"name": place.person})


def _remind(request: LearnerRequest, summary: AssignmentSummary) -> None:
    count = remind(summary.assignment, summary.left, at=summary.now)
    if summary.sight == "nothing":
        messages.success(request, _("Everyone who is not done has been reminded."))
    elif count:
        words = ngettext("%(count)d pupil was reminded.", "%(count)d pupils were reminded.", count)
        messages.success(request, words % {"count": count})
    else:
        messages.info(request, _("They were already reminded in the last 12 hours, so nothing was sent."))
