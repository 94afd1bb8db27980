"""What is kept of a person's conversations."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext_lazy as _

from agents.privacy import DataSubject, PersonalTable, delete_in_portions, rows_owned_by
from conversations.library import document_files, document_text
from conversations.library.deletion import delete_documents
from conversations.models import (
    Analysis,
    Document,
    Embedding,
    Event,
    Feedback,
    Finding,
    Folder,
    Message,
    Passage,
    Session,
    Snapshot,
    Transition,
    Turn,
)

TITLE = _("Your conversations")
PARTS = (
    PersonalTable(
        name="conversations",
        title=_("Conversations"),
        why=_("So that you can go on where you stopped. Deleted ones stay for a few days, so that you can change your mind."),
        of=rows_owned_by(Session, "owner_id"),
        fields=("key", "title", "pinned", "archived", "created_at", "updated_at", "deleted_at", "state"),
    ),
    PersonalTable(
        name="messages",
        title=_("What was said in them"),
        why=_("So that you can read it again, and the tutor knows what you talked about."),
        of=rows_owned_by(Message, "session__owner_id"),
        fields=("session__key", "turn__number", "author", "agent", "text", "cards", "created_at"),
    ),
    PersonalTable(
        name="turns",
        title=_("How each message was answered"),
        why=_("So that nothing is lost or answered twice when a connection breaks."),
        of=rows_owned_by(Turn, "owner_id", order=("created_at", "pk")),
        fields=(
            "id", "session__key", "number", "kind", "status", "payload", "analysis", "decision", "answer", "replaces_id", "replaced_by_id",
            "created_at", "finished_at",
        ),
    ),
    PersonalTable(
        name="transitions",
        title=_("Who passed you on to whom"),
        why=_("So that you can see why another agent spoke."),
        of=rows_owned_by(Transition, "session__owner_id"),
        fields=(
            "session__key", "turn__number", "from_agent", "to_agent", "reason", "confidence", "message_excerpt",
            "created_at",
        ),
    ),
    PersonalTable(
        name="findings",
        title=_("What the team noticed"),
        why=_("So that the next lesson starts from it. You can contest each one."),
        of=rows_owned_by(Finding, "session__owner_id"),
        fields=(
            "session__key", "turn__number", "agent", "kind", "name", "words", "evidence", "confidence",
            "contested_at", "created_at",
        ),
    ),
    PersonalTable(
        name="drawings",
        title=_("What you drew"),
        why=_("So that the tutor can look at it, and you can look at it again. You can delete each one."),
        of=rows_owned_by(Snapshot, "session__owner_id", order=("created_at", "pk")),
        fields=("id", "session__key", "turn__number", "board", "reading", "created_at", "deleted_at"),
    ),
    PersonalTable(
        name="analyses",
        title=_("How the team listened"),
        why=_("So that the next reply takes up what was noticed in the last one."),
        of=rows_owned_by(Analysis, "person_id"),
        fields=(
            "session__key", "turn__number", "agent", "output", "status", "reason", "rejected", "backend", "model", "ms",
            "input_tokens", "output_tokens", "cost_usd", "created_at",
        ),
    ),
    PersonalTable(
        name="feedback",
        title=_("What you thought of replies"),
        why=_("So that whoever runs the place learns where it helps and where it does not."),
        of=rows_owned_by(Feedback, "person_id"),
        fields=("turn__session__key", "turn__number", "verdict", "words", "created_at", "updated_at"),
    ),
    PersonalTable(
        name="folders",
        title=_("Folders of your library"),
        why=_("So that you find your documents again, and can share them with a class."),
        of=rows_owned_by(Folder, "owner_id"),
        fields=("name", "audience", "created_at"),
    ),
    PersonalTable(
        name="documents",
        title=_("Your documents"),
        why=_("So that the team can answer from them and show you the place."),
        of=rows_owned_by(Document, "owner_id", order=("created_at", "pk")),
        fields=(
            "id", "name", "title", "folder__name", "session__key", "in_library", "media_type", "size", "pages", "status",
            "created_at",
        ),
    ),
)  # fmt: skip
LEFT_OUT = {
    Event: _("the messages once more, in the pieces in which the page showed them"),
    Passage: _("the words of your documents once more, in the pieces in which they are searched"),
    Embedding: _("the same words as numbers, by which what means the same is found"),
}
STAYS: dict[type, object] = {}


def files(person: DataSubject) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield the person's documents as they were kept, and beside each the text that was read in it."""
    for document in Document.objects.filter(owner_id=person.pk).order_by("created_at", "pk"):
        if document_files.has_file(document):
            yield f"documents/{document.pk}/{document.name}", document_files.file_chunks(document)
        yield f"documents/{document.pk}.txt", map(str.encode, document_text.text_chunks(document))


def erase(person: DataSubject) -> None:
    """Stop what still runs, and delete every conversation, a few turns at a time."""
    turns = Turn.objects.filter(owner_id=person.pk)
    turns.unfinished().update(stop_requested=True)
    delete_in_portions(turns)
    delete_in_portions(Session._base_manager.filter(owner_id=person.pk))
    delete_documents(Document.objects.filter(owner_id=person.pk))
    Folder.objects.filter(owner_id=person.pk).delete()
