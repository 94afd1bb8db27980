"""Models of the library: documents, folders, and the passages that are searched."""

import uuid
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Session

NAME_MAX_LENGTH = 255
AUDIENCE_MAX_LENGTH = 100
LONGEST_LEASE = timedelta(minutes=2)
"""A lease that ends later than this was set by a fast clock and counts as expired."""


class Folder(models.Model):
    """A folder of a person's documents. The members of the folder's audience can read the documents."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="folders")
    name = models.CharField(max_length=NAME_MAX_LENGTH)
    audience = models.CharField(max_length=AUDIENCE_MAX_LENGTH, blank=True)
    """For example `class:4b`; empty if not shared."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("folder")
        verbose_name_plural = _("folders")
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="folder_names_are_the_owners")]

    def __str__(self) -> str:
        return self.name


class DocumentQuerySet(models.QuerySet["Document"]):
    def readable_by(self, person: Any) -> "DocumentQuerySet":
        """The person's own documents, and those in folders shared with them.

        Documents of a deleted conversation are hidden from everybody, including their owner.
        """
        own = models.Q(owner_id=person.pk)
        shared = models.Q(folder__audience__in=self._audiences(person.audiences), in_library=True)
        return self.filter(own | shared, session__deleted_at=None)

    def unread(self) -> "DocumentQuerySet":
        """Documents that wait to be read, or whose lease has run out by the database's clock; oldest first."""
        waiting = models.Q(status=Document.Status.WAITING)
        reading = models.Q(status=Document.Status.READING)
        left = reading & (models.Q(lease_until__lt=Now()) | models.Q(lease_until__gt=Now() + LONGEST_LEASE))
        return self.filter(waiting | left).order_by("created_at")

    @staticmethod
    def _audiences(audiences: Iterable[str]) -> list[str]:
        return [audience for audience in audiences if audience]


class Document(models.Model):
    """A file that a person has uploaded to the library or attached to a message."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting to be read")
        READING = "reading", _("being read")
        READY = "ready", _("ready")
        FAILED = "failed", _("could not be read")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="documents")
    folder = models.ForeignKey(Folder, on_delete=models.SET_NULL, null=True, blank=True, related_name="documents")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, null=True, blank=True, related_name="documents")
    """The conversation it is attached to and deleted with; empty for documents in the library."""
    in_library = models.BooleanField(default=False)
    name = models.CharField(max_length=NAME_MAX_LENGTH)
    """The owner's name for it; never a path."""
    title = models.CharField(max_length=NAME_MAX_LENGTH, blank=True)
    """The title found in the document."""
    media_type = models.CharField(max_length=100)
    """Detected from the content, not from the name."""
    size = models.PositiveIntegerField()
    """Size of the stored file in bytes."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the upload. Uploading the same file twice gives one document."""
    stored_as = models.CharField(max_length=64, unique=True)
    """Its random name in the uploads folder."""
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    problem = models.TextField(blank=True)
    """Why it could not be read, for its owner."""
    pages = models.PositiveIntegerField(null=True, blank=True)
    pages_read = models.PositiveIntegerField(default=0)
    attempt = models.PositiveSmallIntegerField(default=0)
    """How many processes have started reading it."""
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: ClassVar[models.Manager["Document"]] = DocumentQuerySet.as_manager()

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "digest"], condition=models.Q(in_library=True), name="a_file_stands_once_in_a_library"
            )
        ]
        indexes = [models.Index(fields=["owner", "-created_at"]), models.Index(fields=["status", "lease_until"])]

    def __str__(self) -> str:
        return self.title or self.name

    def get_absolute_url(self) -> str:
        return reverse("document", args=[self.pk])

    @property
    def is_unread(self) -> bool:
        return self.status in (Document.Status.WAITING, Document.Status.READING)

    @property
    def has_pages(self) -> bool:
        """Whether it has real pages; otherwise they are sections."""
        return self.media_type == "application/pdf"

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/")


class Publication(models.Model):
    """Texts, such as a course, that an app publishes to everybody who is signed in."""

    kind = models.CharField(max_length=10)
    """The kind of source that is shown for its passages, such as `course`."""
    key = models.CharField(max_length=100)
    """Unique within its kind."""
    title = models.CharField(max_length=NAME_MAX_LENGTH)
    version = models.CharField(max_length=64)
    """Changes whenever its texts do."""
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="publications_have_a_key")]

    def __str__(self) -> str:
        return self.title


class Passage(models.Model):
    """A piece of a document or publication. The passages of a document, joined in order, are its full text."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, null=True, blank=True, related_name="passages")
    publication = models.ForeignKey(
        Publication, on_delete=models.CASCADE, null=True, blank=True, related_name="passages"
    )
    number = models.PositiveIntegerField()
    """Position in the document or publication, starting at 1."""
    page = models.PositiveIntegerField()
    """Page number, starting at 1; the section number if there are no pages."""
    heading = models.CharField(max_length=NAME_MAX_LENGTH, blank=True)
    text = models.TextField()
    indexed = models.BooleanField(default=True)
    """Whether searches find it. A glossary is shown but not searched."""
    link = models.CharField(max_length=NAME_MAX_LENGTH, blank=True)
    """The page where a publication's passage can be read."""

    class Meta:
        verbose_name = _("passage")
        verbose_name_plural = _("passages")
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="passages_are_numbered"),
            models.UniqueConstraint(fields=["publication", "number"], name="published_passages_are_numbered"),
            models.CheckConstraint(
                condition=models.Q(document=None) ^ models.Q(publication=None), name="a_passage_is_of_one_text"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:100]

    def get_absolute_url(self) -> str:
        return self.link or f"{reverse('document', args=[self.document_id])}?at={self.number}#passage-{self.number}"


class Embedding(models.Model):
    """The embedding (vector) of a passage. It is never changed, only replaced by an embedding with a new id.

    With PostgreSQL and pgvector, the numbers are in a column `meaning` of type halfvec (added by the migration), not in
    `vector`.
    """

    passage = models.OneToOneField(Passage, on_delete=models.CASCADE, related_name="embedding")
    model_id = models.CharField(max_length=60)
    """The sentence model; embeddings of two models cannot be compared."""
    text_id = models.CharField(max_length=36)
    """The id of the passage's document or publication, for checking permissions while comparing vectors."""
    vector = models.BinaryField(null=True)
    """float16 [384] of length 1."""

    class Meta:
        verbose_name = _("embedding")
        verbose_name_plural = _("embeddings")

    def __str__(self) -> str:
        return f"{self.passage_id} by {self.model_id}"
