"""Views for writing exercises: those of a concept, and those that a piece of its lesson asks."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tutoring.access import not_found_text
from tutoring.classes.teacher_access import authored_for
from tutoring.course_writing import exercises
from tutoring.course_writing.concepts import draft_concepts
from tutoring.course_writing.draft_files import DraftRefused, Entry, Files, UnreadableFile
from tutoring.course_writing.exercise_check import check_exercise
from tutoring.course_writing.exercise_values import entry_of, values_of
from tutoring.course_writing.exercises import Place
from tutoring.course_writing.misconceptions import draft_misconceptions
from tutoring.course_writing.versions import change_draft
from tutoring.models import AuthoredCourse
from tutoring.pages.contexts.draft_parts import example_context, name_of
from tutoring.pages.forms.course_fields import idea_options
from tutoring.pages.forms.exercise_fields import KINDS, exercise_groups
from tutoring.pages.forms.written_fields import other_faults, typed_values, with_faults
from tutoring.pages.views.requests import LearnerRequest
from tutoring.pages.views.write_concept import concept_of
from tutoring.pages.views.written_parts import PartChanged, conflict_context, digest, part_page, refused, save_part


@login_required
@require_POST
def change_exercises(request: LearnerRequest, draft: int, concept: str) -> HttpResponse:
    """Add, move or remove an exercise; one with a `piece` belongs to this part of the lesson."""
    found = authored_for(request.user, draft)
    action, name, piece = (request.POST.get(each, "") for each in ("action", "exercise", "piece"))
    kind, to = request.POST.get("kind", ""), request.POST.get("to", "")
    place: Place = "step" if piece else "exercise"
    made: list[Entry] = []

    def edit(files: Files) -> Files:
        if action == "add":
            files, entry = exercises.add_exercise(files, concept, kind if kind in KINDS else "numeric", piece=piece)
            made.append(entry)
            return files
        if action == "move" and any(each.id == to for each in draft_concepts(files)):
            return exercises.move_exercise(files, concept, name, to=to)
        return exercises.remove_exercise(files, concept, piece or name, place=place) if action == "remove" else files

    try:
        concept_of(found, concept)
        words = {"add": _("Exercise added"), "move": _("Exercise moved to another topic")}
        message = words.get(action, _("Exercise removed"))
        change_draft(found, edit, author=request.user, message=message)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)
    if made:
        return redirect(f"write-{place}", found.pk, concept, piece or made[0]["id"])
    if piece:
        return redirect("write-piece", found.pk, concept, piece)
    return redirect(reverse("write-concept", args=[found.pk, concept]) + "#exercises-title")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def exercise(request: LearnerRequest, draft: int, concept: str, name: str) -> HttpResponse:
    """Show an exercise with examples; a POST saves it, or only shows the examples of what is typed."""
    return _exercise(request, draft, concept, name, place="exercise")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def step(request: LearnerRequest, draft: int, concept: str, piece: str) -> HttpResponse:
    """As `exercise`, for the one that a piece of the lesson asks."""
    return _exercise(request, draft, concept, piece, place="step")


def _exercise(request: LearnerRequest, draft: int, concept: str, name: str, *, place: Place) -> HttpResponse:
    found = authored_for(request.user, draft)
    try:
        title = str(concept_of(found, concept).get("title") or "")
        stored = exercises.draft_exercise(found.files, concept, name, place=place)
        if stored is None and request.method != "POST":
            raise Http404(not_found_text())
        kept: Entry = stored or ({"id": name, "concept": concept} if place == "exercise" else {"piece": name})
        values, entry = values_of(kept), kept
        context: dict[str, Any] = {"base": digest(stored)}
        status = 200
        if request.method == "POST":
            values = typed_values(request.POST)
            entry = entry_of(values, kept=kept)
            if "preview" in request.POST:
                return _page(request, found, concept, title, name, values, entry, {"is_preview": True}, place=place)
            try:
                save_part(
                    request, found, read=lambda files: exercises.draft_exercise(files, concept, name, place=place),
                    write=lambda files: exercises.put_exercise(files, concept, name, entry, place=place),
                    message=_("Exercise of %(title)s: %(question)s") % {"title": title, "question": name_of(entry)},
                )  # fmt: skip
                return redirect(f"write-{place}", found.pk, concept, name)
            except PartChanged as changed:
                fresh = authored_for(request.user, draft)
                base = digest(exercises.draft_exercise(fresh.files, concept, name, place=place))
                context, status = conflict_context(changed, fresh, base), 409
        return _page(request, found, concept, title, name, values, entry, context, place=place, status=status)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)


def _page(
    request: LearnerRequest, draft: AuthoredCourse, concept: str, title: str, name: str, values: dict[str, str],
    entry: Entry, context: dict[str, Any], *, place: Place, status: int = 200,
) -> HttpResponse:  # fmt: skip
    checked = check_exercise(draft.files, concept, entry, place=place)
    fields = exercise_groups(values, idea_options(draft_misconceptions(draft.files)), is_step=place == "step")
    groups = with_faults(fields, checked.faults)
    own = {
        "concept": concept, "title": title, "name": name, "place": place, "groups": groups, "values": values,
        "others": [each for each in draft_concepts(draft.files) if each.id != concept],
        "told": other_faults(groups, checked.faults), "examples": [example_context(each) for each in checked.examples],
    }  # fmt: skip
    template = "write_exercise.html#preview" if context.get("is_preview") else "write_exercise.html"
    return part_page(request, template, draft, own | context, status=status)
