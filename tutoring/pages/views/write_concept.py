"""Views for writing a concept: what it needs first, the parts of its lesson, and its list of exercises."""

from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tutoring.access import not_found_text
from tutoring.classes.teacher_access import authored_for
from tutoring.course_writing import concepts, exercises, lessons
from tutoring.course_writing.draft_faults import DraftFault, faults_of
from tutoring.course_writing.draft_files import DraftRefused, Entry, Files, UnreadableFile
from tutoring.course_writing.misconceptions import draft_misconceptions
from tutoring.course_writing.versions import change_draft
from tutoring.courses.checks.course_checks import MIN_SMALL
from tutoring.courses.checks.style import MAX_WORDS, word_count
from tutoring.courses.files.markdown_blocks import split_blocks
from tutoring.models import AuthoredCourse
from tutoring.pages.contexts.draft_parts import draft_faults, piece_blocks
from tutoring.pages.forms.course_fields import SECTION_WORDS, concept_groups, piece_groups
from tutoring.pages.forms.exercise_fields import KINDS
from tutoring.pages.forms.written_fields import chosen, other_faults, typed_values, with_faults
from tutoring.pages.views.requests import LearnerRequest
from tutoring.pages.views.written_parts import PartChanged, conflict_context, digest, part_page, refused, save_part

FIELDS = ("title", "summary", "can")


def concept_of(draft: AuthoredCourse, concept: str) -> Entry:
    """Return the entry of a concept of the draft, or raise Http404."""
    entry = concepts.concept_entry(draft.files, concept)
    if entry is None:
        raise Http404(not_found_text())
    return entry


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def concept(request: LearnerRequest, draft: int, concept: str) -> HttpResponse:
    """Show a concept with its lesson and exercises; a POST saves what is said about it."""
    found = authored_for(request.user, draft)
    try:
        entry = concept_of(found, concept)
        values = {name: str(entry.get(name) or "") for name in FIELDS}
        needs, context, status = list(map(str, entry.get("requires") or ())), {"base": digest(entry)}, 200
        if request.method == "POST":
            values, needs = typed_values(request.POST), chosen(request.POST, "requires")
            own = {name: values.get(name, "").strip() for name in FIELDS} | {"requires": needs}
            try:
                save_part(
                    request, found, read=lambda files: concepts.concept_entry(files, concept),
                    write=lambda files: concepts.change_concept(files, concept, own),
                    message=_("Topic: %(title)s") % {"title": own["title"]},
                )  # fmt: skip
                return redirect("write-concept", found.pk, concept)
            except PartChanged as changed:
                fresh = authored_for(request.user, draft)
                context, status = conflict_context(changed, fresh, digest(concept_of(fresh, concept))), 409
        return _concept_page(request, found, concept, values, needs, context, status=status)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)


def _concept_page(
    request: LearnerRequest, draft: AuthoredCourse, concept: str, values: dict[str, str], needs: list[str],
    context: dict[str, Any], *, status: int,
) -> HttpResponse:  # fmt: skip
    faults = draft_faults(draft)
    told = [(each.field, each.reason) for each in faults_of(faults, kind="concept", concept=concept)]
    groups = with_faults(concept_groups(values), told)
    others = [each for each in concepts.draft_concepts(draft.files) if each.id != concept]
    ideas = [each for each in draft_misconceptions(draft.files) if concept in (each.get("concepts") or ())]
    own = {
        "concept": concept, "title": values["title"], "groups": groups, "others": others, "needs": needs,
        "needs_faults": [reason for field, reason in told if field == "requires"],
        "told": other_faults(groups, [each for each in told if each[0] != "requires"]),
        "sections": _sections(draft.files, concept, faults), "section_words": SECTION_WORDS.items(),
        "exercises": _exercises(draft.files, concept, faults), "kinds": KINDS.items(), "least": MIN_SMALL,
        "ideas": ideas,
    }  # fmt: skip
    return part_page(request, "write_concept.html", draft, own | context, status=status)


def _sections(files: Files, concept: str, faults: tuple[DraftFault, ...]) -> list[dict[str, Any]]:
    """Return the sections of the lesson that have pieces."""
    steps = {each.get("piece") for each in exercises.draft_exercises(files, concept, place="step")}
    sections: dict[str, list[dict[str, Any]]] = {}
    for piece in lessons.draft_pieces(files, concept):
        own = [*faults_of(faults, kind="piece", concept=concept, name=piece.id)]
        own += faults_of(faults, kind="step", concept=concept, name=piece.id)
        row = {"piece": piece, "open": len(own), "has_step": piece.id in steps}
        sections.setdefault(piece.section, []).append(row)
    return [{"name": name, "title": SECTION_WORDS[name], "rows": rows} for name, rows in sections.items()]


def _exercises(files: Files, concept: str, faults: tuple[DraftFault, ...]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "stem": str(entry.get("stem") or ""),
            "kind": KINDS.get(str(entry.get("type")), entry.get("type")),
            "varies": bool(entry.get("params")),
            "open": len([*faults_of(faults, kind="exercise", concept=concept, name=name)]),
        }
        for entry in exercises.draft_exercises(files, concept)
        if (name := str(entry.get("id") or ""))
    ]


@login_required
@require_POST
def change_pieces(request: LearnerRequest, draft: int, concept: str) -> HttpResponse:
    """Add, move or remove a piece of the lesson."""
    found = authored_for(request.user, draft)
    action, name = request.POST.get("action", ""), request.POST.get("piece", "")
    try:
        concept_of(found, concept)
        new = lessons.new_piece(found.files, concept, request.POST.get("section", ""))

        def edit(files: Files) -> Files:
            match action:
                case "add":
                    return lessons.put_piece(files, concept, new)
                case "up" | "down":
                    return lessons.move_piece(files, concept, name, by=-1 if action == "up" else 1)
                case "remove":
                    return lessons.remove_piece(files, concept, name)
            return files

        words = {"add": _("Part of a lesson added"), "remove": _("Part of a lesson removed")}
        message = words.get(action, _("Order of the lesson"))
        change_draft(found, edit, author=request.user, message=message)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)
    if action == "add":
        return redirect("write-piece", found.pk, concept, new.id)
    return redirect(reverse("write-concept", args=[found.pk, concept]) + "#lesson-title")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def piece(request: LearnerRequest, draft: int, concept: str, piece: str) -> HttpResponse:
    """Show a piece of a lesson with a preview; a POST saves it, or only shows the preview of what is typed."""
    found = authored_for(request.user, draft)
    try:
        title = str(concept_of(found, concept).get("title") or "")
        stored = lessons.draft_piece(found.files, concept, piece)
        if stored is None and request.method != "POST":
            raise Http404(not_found_text())
        shown = stored or lessons.DraftPiece(id=piece, section=lessons.FIRST_SECTION)
        context: dict[str, Any] = {"base": digest(stored)}
        status = 200
        if request.method == "POST":
            shown = _typed_piece(request, shown)
            if "preview" in request.POST:
                changed = lessons.put_piece(found.files, concept, shown)
                return _piece_page(request, found, concept, title, shown, {"is_preview": True}, files=changed)
            try:
                save_part(
                    request, found, read=lambda files: lessons.draft_piece(files, concept, piece),
                    write=lambda files: lessons.put_piece(files, concept, shown),
                    message=_("Lesson: %(title)s") % {"title": title},
                )  # fmt: skip
                return redirect("write-piece", found.pk, concept, piece)
            except PartChanged as changed_by:
                fresh = authored_for(request.user, draft)
                base = digest(lessons.draft_piece(fresh.files, concept, piece))
                context, status = conflict_context(changed_by, fresh, base), 409
        return _piece_page(request, found, concept, title, shown, context, status=status)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)


def _typed_piece(request: LearnerRequest, stored: lessons.DraftPiece) -> lessons.DraftPiece:
    values = typed_values(request.POST)
    section = values.get("section", "")
    typed = replace(
        stored,
        section=section if section in SECTION_WORDS else stored.section,
        text=values.get("text", ""),
        question=values.get("question", ""),
        words=values.get("words", ""),
        heard=values.get("heard", ""),
        not_yet=values.get("not_yet", ""),
    )
    return lessons.cleaned(typed)


def _piece_page(
    request: LearnerRequest, draft: AuthoredCourse, concept: str, title: str, shown: lessons.DraftPiece,
    context: dict[str, Any], *, files: Files | None = None, status: int = 200,
) -> HttpResponse:  # fmt: skip
    shown_files = draft.files if files is None else files
    step = exercises.draft_exercise(shown_files, concept, shown.id, place="step")
    told = [*faults_of(draft_faults(draft), kind="piece", concept=concept, name=shown.id)] if files is None else []
    faults = [(each.field, each.reason) for each in told] if files is None else _typed_faults(shown, step)
    groups = with_faults(piece_groups(shown), faults)
    written = "\n\n".join(filter(None, (shown.text, shown.question)))
    own = {
        "concept": concept, "title": title, "piece": shown, "groups": groups, "told": other_faults(groups, faults),
        "blocks": piece_blocks(shown_files, concept, _with_step(written, step)), "step": step, "kinds": KINDS.items(),
        "words": _words(written, step), "most": MAX_WORDS, "section_words": SECTION_WORDS.items(),
    }  # fmt: skip
    name = "write_piece.html#preview" if context.get("is_preview") else "write_piece.html"
    return part_page(request, name, draft, own | context, status=status)


def _with_step(written: str, step: Entry | None) -> str:
    """Return the text of a piece with the question of its exercise."""
    return "\n\n".join(filter(None, (written, str(step.get("stem") or "") if step is not None else "")))


def _words(written: str, step: Entry | None) -> int:
    """Return how many words learners read before it is their turn."""
    return sum(word_count(block) for block in split_blocks(_with_step(written, step)) if isinstance(block, str))


def _typed_faults(piece: lessons.DraftPiece, step: Entry | None) -> list[tuple[str, str]]:
    """Return what is wrong with a piece that is being written, as far as it can be told without the whole course."""
    faults = []
    text = f"{piece.text}\n\n{piece.question}"
    if (count := _words(text, step)) > MAX_WORDS:
        faults.append(
            ("text", _("%(count)s words; at most %(most)s are allowed.") % {"count": count, "most": MAX_WORDS})
        )
    if step is None and text.count("?") != 1:
        faults.append(("question", _("Ask exactly one question, with a question mark, at the end.")))
    if piece.words and not (piece.heard and piece.not_yet):
        faults.append(("heard", _("If you list words, write both replies.")))
    return faults
