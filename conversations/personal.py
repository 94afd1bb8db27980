"""Personal data in conversations: what is kept, why, and how it is exported and erased."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext_lazy as _

from agents.privacy import DataSubject, PersonalTable, delete_in_portions, rows_owned_by
from conversations.library import document_files, document_text
from conversations.library.deletion import delete_documents
from conversations.models import (
    Analysis,
    Capture,
    Contact,
    ConversationSummary,
    Document,
    Embedding,
    Event,
    Feedback,
    Finding,
    Folder,
    Message,
    Passage,
    PhoneCall,
    PhoneCode,
    PhoneLink,
    Session,
    Snapshot,
    StorageTask,
    TableRemark,
    Transition,
    Turn,
    V1Deprecation,
    V1Import,
    V1RowProblem,
)
from conversations.panel.shared_state import forget_conversation

TITLE = _("Your conversations")
PARTS = (
    PersonalTable(
        name="conversations",
        title=_("Conversations"),
        why=_(
            "To let you continue where you left off. Conversations you delete are kept for a few days, so you"
            " can restore them."
        ),
        of=rows_owned_by(Session, "owner_id"),
        fields=("key", "title", "answered_by", "pinned", "archived", "created_at", "updated_at", "deleted_at", "state", "flags"),
    ),
    PersonalTable(
        name="messages",
        title=_("Messages in your conversations"),
        why=_("To let you read your messages again, and to let the tutor know what you talked about."),
        of=rows_owned_by(Message, "session__owner_id"),
        fields=("session__key", "turn__number", "author", "agent", "text", "cards", "created_at"),
    ),
    PersonalTable(
        name="turns",
        title=_("How each message was answered"),
        why=_("To make sure no message is lost or answered twice if the connection drops."),
        of=rows_owned_by(Turn, "owner_id", order=("created_at", "pk")),
        fields=(
            "id", "session__key", "number", "kind", "status", "payload", "analysis", "decision", "answer", "replaces_id", "replaced_by_id",
            "created_at", "finished_at",
        ),
    ),
    PersonalTable(
        name="captures",
        title=_("Messages stored by the previous version"),
        why=_("To let programs made for the previous version show your conversations."),
        of=rows_owned_by(Capture, "owner_id"),
        fields=("session_id", "timestamp", "user_text", "agent_text", "metadata"),
    ),
    PersonalTable(
        name="v1_imports",
        title=_("Imports of your conversations from the previous version"),
        why=_("To continue an interrupted import without importing anything twice."),
        of=rows_owned_by(V1Import, "owner_id"),
        fields=("name", "total", "imported", "rejected", "created_at", "finished_at"),
    ),
    PersonalTable(
        name="v1_deprecation",
        title=_("When you announced that the v1 API will be turned off"),
        why=_("To record who changed what on this site."),
        of=rows_owned_by(V1Deprecation, "by_id"),
        fields=("at", "since", "sunset"),
        of_staff=True,
    ),
    PersonalTable(
        name="v1_row_problems",
        title=_("Messages from the previous version that could not be imported unchanged"),
        why=_("To let the person who runs this site find out what is missing, and why."),
        of=rows_owned_by(V1RowProblem, "owner_id"),
        fields=("row", "v1_id", "session_id", "reason", "is_rejected", "detail", "raw"),
    ),
    PersonalTable(
        name="transitions",
        title=_("Handoffs from one agent to another"),
        why=_("To show you why a different agent replied."),
        of=rows_owned_by(Transition, "session__owner_id"),
        fields=(
            "session__key", "turn__number", "from_agent", "to_agent", "reason", "confidence", "message_excerpt",
            "created_at",
        ),
    ),
    PersonalTable(
        name="summaries",
        title=_("Summaries of your conversations"),
        why=_("To show you and the tutor what each conversation was about."),
        of=rows_owned_by(ConversationSummary, "session__owner_id"),
        fields=("session__key", "turn__number", "reason", "text", "facts", "created_at"),
    ),
    PersonalTable(
        name="findings",
        title=_("What the team noticed about you"),
        why=_("To build the next lesson on what we noticed. You can tell us if something is wrong."),
        of=rows_owned_by(Finding, "session__owner_id"),
        fields=(
            "session__key", "turn__number", "agent", "kind", "name", "words", "evidence", "confidence",
            "contested_at", "created_at",
        ),
    ),
    PersonalTable(
        name="drawings",
        title=_("Your drawings"),
        why=_("To let you and the tutor look at your drawings again. You can delete any of them."),
        of=rows_owned_by(Snapshot, "session__owner_id", order=("created_at", "pk")),
        fields=("id", "session__key", "turn__number", "board", "reading", "created_at", "deleted_at"),
    ),
    PersonalTable(
        name="analyses",
        title=_("How the team understood your messages"),
        why=_("To use what we noticed in your last message for the next reply."),
        of=rows_owned_by(Analysis, "person_id"),
        fields=(
            "session__key", "turn__number", "agent", "output", "status", "reason", "rejected", "backend", "model", "ms",
            "input_tokens", "output_tokens", "cost_usd", "created_at",
        ),
    ),
    PersonalTable(
        name="feedback",
        title=_("Your feedback on replies"),
        why=_("To show the person who runs this site which replies help and which do not."),
        of=rows_owned_by(Feedback, "person_id"),
        fields=("turn__session__key", "turn__number", "verdict", "words", "created_at", "updated_at"),
    ),
    PersonalTable(
        name="table_remarks",
        title=_("What you said to a round table while it ran"),
        why=_("To let the agents at the table take it up, and to show it at its place."),
        of=rows_owned_by(TableRemark, "turn__owner_id"),
        fields=("turn__session__key", "turn__number", "round", "text", "created_at"),
    ),
    PersonalTable(
        name="contacts",
        title=_("Your contacts"),
        why=_("To tell you who it’s time to contact again."),
        of=rows_owned_by(Contact, "owner_id"),
        fields=("name", "organization", "notes", "last_contacted_on", "created_at"),
    ),
    PersonalTable(
        name="phone_numbers",
        title=_("Your linked phone numbers"),
        why=_("To continue your conversation when you call from one of these numbers."),
        of=rows_owned_by(PhoneLink, "owner_id"),
        fields=("number", "created_at"),
    ),
    PersonalTable(
        name="phone_calls",
        title=_("Your phone calls in the last day"),
        why=_("To limit how often a phone number can call. Each call is deleted after a day."),
        of=rows_owned_by(PhoneCall, "owner_id", order=("started_at", "pk")),
        fields=("sid", "is_linked", "started_at", "ended_at"),
    ),
    PersonalTable(
        name="folders",
        title=_("Folders in your library"),
        why=_("To help you find your documents again and share them with a class."),
        of=rows_owned_by(Folder, "owner_id"),
        fields=("name", "audience", "created_at"),
    ),
    PersonalTable(
        name="documents",
        title=_("Your documents"),
        why=_("To use your documents in answers and show you where an answer comes from."),
        of=rows_owned_by(Document, "owner_id", order=("created_at", "pk")),
        fields=(
            "id", "name", "title", "folder__name", "session__key", "in_library", "media_type", "size", "pages", "status",
            "created_at",
        ),
    ),
)  # fmt: skip
LEFT_OUT = {
    Event: _("copies of your messages, in the small pieces that were sent to the page"),
    StorageTask: _("notes that a message still has to be copied to another table, without its text"),
    Passage: _("the text of your documents, divided into pieces for searching"),
    Embedding: _("the same text turned into numbers, so that passages can be found by their meaning"),
    PhoneCode: _("the code that links a phone number (only a hash of it is stored, and only for 15 minutes)"),
}
STAYS = {V1Deprecation: _("when the v1 API was announced to be turned off, but not who announced it")}


def files(person: DataSubject) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield the person's documents as stored, each with the text that was read from it."""
    for document in Document.objects.filter(owner_id=person.pk).order_by("created_at", "pk"):
        if document_files.has_file(document):
            yield f"documents/{document.pk}/{document.name}", document_files.file_chunks(document)
        yield f"documents/{document.pk}.txt", map(str.encode, document_text.text_chunks(document))


def erase(person: DataSubject) -> None:
    """Stop what is still running, and delete every conversation, a few turns at a time."""
    turns = Turn.objects.filter(owner_id=person.pk)
    turns.unfinished().update(stop_requested=True)
    for session in Session._base_manager.filter(owner_id=person.pk).only("pk", "owner_id"):
        forget_conversation(session)
    delete_in_portions(turns)
    # Those that have no turn; the others went with theirs.
    delete_in_portions(Capture.objects.filter(owner_id=person.pk))
    delete_in_portions(V1RowProblem.objects.filter(owner_id=person.pk))
    delete_in_portions(Session._base_manager.filter(owner_id=person.pk))
    delete_documents(Document.objects.filter(owner_id=person.pk))
    Folder.objects.filter(owner_id=person.pk).delete()
    Contact.objects.filter(owner_id=person.pk).delete()
