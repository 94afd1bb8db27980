"""Notes: what a person asked to be remembered, found by words and by meaning."""

from typing import Any

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.models import Note, Workspace
from tutoring.planner.records.changes import ChangeRecorder
from tutoring.planner.records.limits import LONGEST_NOTE, PAGE_SIZE
from tutoring.planner.records.search import FoundRow, embed_texts, find_rows


def list_notes(workspace: Workspace, *, size: int = PAGE_SIZE) -> list[Note]:
    """Return the notes, the latest first."""
    return list(Note.objects.inside(workspace).order_by("-updated_at", "-pk")[:size])


def embedding_of(text: str) -> bytes | None:
    """Return a note's embedding; None without the model. Raises InferenceNeeded inside a transaction: call it before one."""
    try:
        return embed_texts([text])[0] if embeddings.is_available() else None
    except EmbeddingModelMissing:
        return None


def create_note(recorder: ChangeRecorder, text: str, *, embedding: bytes | None) -> Note:
    """Store a note. Raises TooManyRows."""
    return recorder.make(Note, text=text[:LONGEST_NOTE], embedding=embedding)


def recall_notes(workspace: Workspace, words: str, *, limit: int = 5) -> list[FoundRow]:
    """Return the notes that fit the words, the best first."""
    return find_rows(Note.objects.inside(workspace), words, limit=limit)


def notes_named(workspace: Workspace) -> Any:
    return Note.objects.inside(workspace)


def locked_notes(workspace: Workspace, ids: list[int]) -> list[Note]:
    """Return notes to be changed; the caller has the transaction."""
    return list(Note.objects.select_for_update().inside(workspace).filter(pk__in=ids).order_by("pk"))
