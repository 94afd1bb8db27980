"""Notes: what a person asked to be remembered; searched, changed, deleted, exported and imported."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.models import Note
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner import open_memory
from tutoring.planner.pages.forms.entries import NoteForm
from tutoring.planner.pages.place import Place, back, entry_for, frame_context, place_of
from tutoring.planner.records.changes import TooManyRows, change_rows
from tutoring.planner.records.limits import MOST_CHANGED
from tutoring.planner.records.note_files import MOST_BYTES, NotNotes, notes_as_json, read_notes
from tutoring.planner.records.notes import create_note, recall_notes
from tutoring.planner.records.search import embed_texts

PAGE_SIZE: Final = 40
FOUND: Final = 20
LONGEST_WORDS: Final = 200


@login_required
@require_safe
def notes(request: LearnerRequest) -> HttpResponse:
    """Show the notes, the latest first, or those that are about what was searched for."""
    place = place_of(request)
    words = " ".join(request.GET.get("q", "").split())[:LONGEST_WORDS]
    rows = Note.objects.inside(place.workspace).order_by("-updated_at", "-pk")
    asked = request.GET.get("page", "")
    page = Paginator(rows, PAGE_SIZE).get_page(int(asked) if asked.isdecimal() and len(asked) < 7 else 1)
    found = _found(place, words) if words else list(page.object_list)
    shown: dict[str, Any] = {"words": words, "notes": found, "page": page, "is_outside": open_memory.is_set_up()}
    return render(request, "planner/notes.html", frame_context(request, place, page="notes") | shown)


def _found(place: Place, words: str) -> list[Note]:
    """Return the notes that are about the words, the best first, with those that an OpenMemory server finds."""
    found = [each.row for each in recall_notes(place.workspace, words, limit=FOUND)]
    outside = open_memory.found_outside(place.person, place.workspace.key, words)
    known = {each.pk for each in found}
    rows = Note.objects.inside(place.workspace).filter(outside_id__in=outside).exclude(pk__in=known) if outside else ()
    return [*found, *sorted(rows, key=lambda each: outside.index(each.outside_id))]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def note(request: LearnerRequest, pk: int) -> HttpResponse:
    """Show and save a note."""
    place = place_of(request)
    found = entry_for(place, Note, pk)
    form = NoteForm(request.POST if request.method == "POST" else None, initial={"text": found.text})
    if not form.is_valid():
        context = frame_context(request, place, page="notes") | {"note": found, "form": form}
        return render(request, "planner/note.html", context, status=422 if form.is_bound else 200)
    with change_rows(place.person, place.workspace) as recorder:
        recorder.update(found, text=form.cleaned_data["text"])
        # It is computed anew when it is needed, also after this is undone.
        Note.objects.filter(pk=found.pk).update(embedding=None)
        recorder.words = _("Note changed.")
    return back(request, change=recorder.change_id, fallback="planner-notes")


@login_required
@require_POST
def remove(request: LearnerRequest, pk: int) -> HttpResponse:
    place = place_of(request)
    found = entry_for(place, Note, pk)
    with change_rows(place.person, place.workspace) as recorder:
        recorder.remove(found)
        recorder.words = _("Note deleted.")
    return back(request, change=recorder.change_id, fallback="planner-notes")


@never_cache
@login_required
@require_safe
def export(request: LearnerRequest) -> HttpResponse:
    place = place_of(request)
    name = f"notes-{place.workspace.key}.json"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    data = notes_as_json(place.workspace, at=timezone.now())
    return HttpResponse(data, content_type="application/json", headers=disposition)


@login_required
@require_POST
def import_notes(request: LearnerRequest) -> HttpResponse:
    """Add the notes of an exported file; those that are there already are left out."""
    place = place_of(request)
    upload = request.FILES.get("file")
    if upload is None:
        messages.error(request, _("Choose a file first."))
        return redirect("planner-notes")
    try:
        texts = read_notes(upload.read(MOST_BYTES + 1))
        return back(request, change=_store(place, texts), fallback="planner-notes")
    except NotNotes as error:
        messages.error(request, str(error))
    except TooManyRows:
        messages.error(request, _("This workspace is full. Delete what you no longer need, then try again."))
    return redirect("planner-notes")


def _store(place: Place, texts: list[str]) -> str:
    """Store new notes; return the change's id, empty if all were there. Raises NotNotes for too many at once."""
    there = set(Note.objects.inside(place.workspace).values_list("text", flat=True))
    new = [text for text in texts if text not in there]
    if len(new) > MOST_CHANGED:
        said = _("There are more than %(count)d new notes in this file. Split it into smaller ones.")
        raise NotNotes(said % {"count": MOST_CHANGED})
    vectors = _vectors(new)
    with change_rows(place.person, place.workspace) as recorder:
        for text, vector in zip(new, vectors, strict=True):
            create_note(recorder, text, embedding=vector)
        said = ngettext("%(count)d note was imported.", "%(count)d notes were imported.", len(new))
        recorder.words = said % {"count": len(new)}
    return recorder.change_id


def _vectors(texts: list[str]) -> list[bytes | None]:
    try:
        return [*embed_texts(texts)] if embeddings.is_available() else [None] * len(texts)
    except EmbeddingModelMissing:
        return [None] * len(texts)
