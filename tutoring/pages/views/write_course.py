"""Views for writing a course: a new one, its overview, what is said about it, and publishing."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tutoring.access import not_found_text
from tutoring.classes.teacher_access import authored_for, require_teacher, taught_course_for
from tutoring.course_writing import concepts
from tutoring.course_writing.copies import copy_course, open_draft
from tutoring.course_writing.draft_faults import faults_of
from tutoring.course_writing.draft_files import DraftRefused, Files, UnreadableFile, clean_text
from tutoring.course_writing.exercises import draft_exercises
from tutoring.course_writing.lessons import draft_pieces
from tutoring.course_writing.misconceptions import draft_misconceptions
from tutoring.course_writing.prerequisite_proposals import TopicText, propose_prerequisites
from tutoring.course_writing.publishing import NotPublished, offer_course, publish_course, withdraw_course
from tutoring.course_writing.versions import change_draft, create_draft
from tutoring.models import AuthoredCourse
from tutoring.pages.contexts.draft_parts import draft_faults, draft_map, fault_rows
from tutoring.pages.forms.course_fields import NewCourseForm, about_groups, about_values
from tutoring.pages.forms.written_fields import typed_values, with_faults
from tutoring.pages.views.requests import LearnerRequest
from tutoring.pages.views.written_parts import PartChanged, conflict_context, digest, part_page, refused, save_part

CHECK_TRIALS = 10
"""Exercises tried per template to list what is still to do; publishing tries more."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_course(request: LearnerRequest) -> HttpResponse:
    """Ask what the course is about; a POST makes the draft."""
    require_teacher(request.user)
    initial = {"language": (get_language() or "en")[:2], "license": "CC BY 4.0"}
    form = NewCourseForm(request.POST) if request.method == "POST" else NewCourseForm(initial=initial)
    if form.is_bound and form.is_valid():
        values = {name: clean_text(value) for name, value in form.cleaned_data.items()}
        try:
            return redirect(create_draft(request.user, concepts.new_files(**values), message=_("New course")))
        except DraftRefused as error:
            form.add_error(None, str(error))
    return render(request, "tutoring/write_new.html", {"form": form}, status=422 if form.is_bound else 200)


@login_required
@require_safe
def overview(request: LearnerRequest, draft: int) -> HttpResponse:
    """Show the concepts of a draft, their map, and what is still to do."""
    found = authored_for(request.user, draft)
    try:
        context = _overview(found)
        if "suggest" in request.GET:
            context["suggested"] = _suggestions(concepts.draft_concepts(found.files))
        return part_page(request, "write_course.html", found, context)
    except UnreadableFile as error:
        return refused(request, found, error)


def _overview(draft: AuthoredCourse) -> dict[str, Any]:
    listed = concepts.draft_concepts(draft.files)
    titles = {concept.id: concept.title for concept in listed}
    faults = draft_faults(draft)
    rows = [
        {
            "concept": concept,
            "after": [titles[name] for name in concept.requires if name in titles],
            "open": sum(fault.concept == concept.id for fault in faults),
            **_counts(draft, concept.id),
        }
        for concept in listed
    ]
    return {
        "rows": rows,
        "map": draft_map(draft, listed) if len(listed) > 1 else None,
        "fields": concepts.course_fields(draft.files),
        "misconceptions": draft_misconceptions(draft.files),
        "base": digest(titles),
    }


def _suggestions(listed: list[concepts.DraftConcept]) -> list[dict[str, str]]:
    """Return which topic could come before which other one."""
    topics = [TopicText(id=each.id, title=each.title, text=each.summary) for each in listed]
    proposed = propose_prerequisites(topics, {each.id: each.requires for each in listed})
    titles = {each.id: each.title for each in listed}
    return [
        {"concept": concept, "first": name, "title": titles[concept], "first_title": titles[name]}
        for concept, names in proposed.items()
        for name in names
    ]


@login_required
@require_POST
def accept_prerequisites(request: LearnerRequest, draft: int) -> HttpResponse:
    """Take the suggestions that were accepted."""
    found = authored_for(request.user, draft)
    pairs = [pair for each in request.POST.getlist("accept") if len(pair := each.split(" ")) == 2]

    def edit(files: Files) -> Files:
        listed = {each.id: each.requires for each in concepts.draft_concepts(files)}
        wanted = {concept: list(requires) for concept, requires in listed.items()}
        for concept, first in pairs:
            if concept in wanted and first in wanted and first not in wanted[concept]:
                wanted[concept].append(first)
        return concepts.set_prerequisites(
            files, {name: wanted[name] for name in wanted if wanted[name] != list(listed[name])}
        )

    try:
        change_draft(found, edit, author=request.user, message=_("Suggested order accepted"))
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)
    return redirect(found)


def _counts(draft: AuthoredCourse, concept: str) -> dict[str, int | None]:
    """Return how many pieces and exercises a concept has; None where its files cannot be read."""
    try:
        pieces, exercises = len(draft_pieces(draft.files, concept)), len(draft_exercises(draft.files, concept))
    except UnreadableFile:
        return {"pieces": None, "exercises": None}
    return {"pieces": pieces, "exercises": exercises}


@login_required
@require_safe
def check(request: LearnerRequest, draft: int) -> HttpResponse:
    """Show what is still to do before the draft can be published; a part of the overview."""
    found = authored_for(request.user, draft)
    try:
        listed = concepts.draft_concepts(found.files)
    except UnreadableFile:
        listed = []
    faults = fault_rows(found, draft_faults(found, seeds=CHECK_TRIALS), listed)
    return part_page(request, "write_course.html#check", found, {"faults": faults})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def about(request: LearnerRequest, draft: int) -> HttpResponse:
    """Show what is said about the course as a whole; a POST saves it."""
    found = authored_for(request.user, draft)
    values, status, context = about_values(found.files), 200, {}
    context["base"] = digest(concepts.course_fields(found.files))
    try:
        if request.method == "POST":
            values = typed_values(request.POST)
            save_part(
                request,
                found,
                read=concepts.course_fields,
                write=lambda files: concepts.change_course(files, about_values(files) | values),
                message=_("About the course"),
            )
            return redirect(found)
    except PartChanged as changed:
        fresh = authored_for(request.user, draft)
        context, status = conflict_context(changed, fresh, digest(concepts.course_fields(fresh.files))), 409
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)
    faults = [(each.field, each.reason) for each in faults_of(draft_faults(found), kind="course")]
    groups = with_faults(about_groups(values), faults)
    return part_page(request, "write_about.html", found, context | {"groups": groups}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: LearnerRequest, draft: int) -> HttpResponse:
    """Publish the draft, withdraw the course, offer it again, or delete a draft that was never published.

    The answer to a POST can be a page, so that its address is opened again: then the draft is shown.
    """
    found = authored_for(request.user, draft)
    if request.method != "POST":
        return redirect(found)
    action = request.POST.get("action")
    if action == "publish":
        return _publish(request, found)
    if action == "withdraw" and found.course is not None:
        withdraw_course(found.course)
        messages.success(request, _("The course is withdrawn. Those who have begun it can finish it."))
    elif action == "offer" and found.course is not None:
        offer_course(found.course)
        messages.success(request, _("Your classes can begin the course again."))
    elif action == "delete" and found.course is None:
        if "confirmed" not in request.POST:
            return part_page(request, "write_delete.html", found, {})
        found.delete()
        messages.success(request, _("The draft was deleted."))
        return redirect("taught-courses")
    else:
        raise Http404(not_found_text())
    return redirect(found)


def _publish(request: LearnerRequest, draft: AuthoredCourse) -> HttpResponse:
    try:
        publish_course(draft, by=request.user)
    except UnreadableFile as error:
        return refused(request, draft, error)
    except NotPublished as faulty:
        listed = concepts.draft_concepts(draft.files)
        rows = fault_rows(draft, faulty.faults, listed)
        told = ngettext(
            "Not published: %(count)d thing is still to do. It is listed under “Publish”, at the end of this page.",
            "Not published: %(count)d things are still to do. They are listed under “Publish”, at the end of this page.",
            len(rows),
        )
        messages.error(request, told % {"count": len(rows)})
        return part_page(request, "write_course.html", draft, _overview(draft) | {"faults": rows}, status=422)
    messages.success(request, _("The course is published. Your classes can learn it now."))
    return redirect(draft)


@login_required
@require_POST
def open_course(request: LearnerRequest, course: str) -> HttpResponse:
    """Open a course for editing: one's own as it is, any other as a copy."""
    found = taught_course_for(request.user, course)
    is_own = found.owner_id is not None and (found.owner_id == request.user.pk or request.user.role == "admin")
    try:
        if is_own and request.POST.get("action") == "edit":
            return redirect(open_draft(found))
        draft = copy_course(found, request.user)
    except DraftRefused as error:
        messages.error(request, str(error))
        return redirect("taught-course", found.slug)
    messages.success(request, _("This is your own version. The original stays as it is."))
    return redirect(draft)


@login_required
@require_POST
def change_concepts(request: LearnerRequest, draft: int) -> HttpResponse:
    """Add, move or remove a concept."""
    found = authored_for(request.user, draft)
    name, title = request.POST.get("concept", ""), " ".join(clean_text(request.POST.get("title", "")).split())[:200]
    made: list[str] = []

    def edit(files: Files) -> Files:
        match request.POST.get("action"):
            case "add" if title:
                files, new = concepts.add_concept(files, title)
                made.append(new)
                return files
            case "up" | "down" as way:
                return concepts.move_concept(files, name, by=-1 if way == "up" else 1)
            case "remove":
                return concepts.remove_concept(files, name)
        return files

    titles = {concept.id: concept.title for concept in concepts.draft_concepts(found.files)}
    message = {
        "add": _("Topic added: %(title)s"), "remove": _("Topic removed: %(title)s"),
    }.get(request.POST.get("action", ""), _("Order of the topics")) % {"title": title or titles.get(name, name)}  # fmt: skip
    try:
        change_draft(found, edit, author=request.user, message=message)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)
    if made:
        return redirect("write-concept", found.pk, made[0])
    focus = f"#move-{name}" if request.POST.get("action") in ("up", "down") else "#topics-title"
    return redirect(reverse("write-course", args=[found.pk]) + focus)
