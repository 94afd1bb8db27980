"""Courses that persons make from documents of their library, from the first draft on."""

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conversations.models import Document
from conversations.models.library import NAME_MAX_LENGTH
from tutoring.document_courses.drafts import DocumentDraft, draft_from_json, draft_to_json
from tutoring.models.classes import Classroom
from tutoring.models.courses import Course

LOST_AFTER = timedelta(minutes=2)
"""A draft that reports no progress for so long has lost its worker."""


class DocumentCourseQuerySet(models.QuerySet["DocumentCourse"]):
    def in_work(self) -> "DocumentCourseQuerySet":
        return self.filter(status__in=(DocumentCourse.Status.WAITING, DocumentCourse.Status.DRAFTING))

    def lost(self) -> "DocumentCourseQuerySet":
        """Drafts that no worker has reported on lately."""
        return self.in_work().filter(reported_at__lt=Now() - LOST_AFTER)


class DocumentCourse(models.Model):
    """A draft of a course made from a document, and the course that it became."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DRAFTING = "drafting", _("being drafted")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="document_courses")
    document = models.ForeignKey(
        Document, on_delete=models.SET_NULL, null=True, blank=True, related_name="document_courses"
    )
    """None once the document is deleted; the course can be kept."""
    document_name = models.CharField(max_length=NAME_MAX_LENGTH)
    title = models.CharField(max_length=200)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    problem = models.CharField(max_length=20, blank=True)
    """Why no course could be drafted, a DraftProblem."""
    steps_done = models.PositiveSmallIntegerField(default=0)
    steps = models.PositiveSmallIntegerField(default=0)
    """How many steps the drafting has; 0 if unknown."""
    attempt = models.PositiveSmallIntegerField(default=0)
    reported_at = models.DateTimeField(db_default=Now())
    draft = models.JSONField(default=dict, blank=True)
    course = models.OneToOneField(
        Course, on_delete=models.SET_NULL, null=True, blank=True, related_name="document_course"
    )
    """The course that the person learns; None before they start."""
    offered_to = models.ForeignKey(Classroom, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The class whose teachers are asked to accept it."""
    accepted_for = models.ForeignKey(
        Classroom, on_delete=models.SET_NULL, null=True, blank=True, related_name="document_courses"
    )
    """The class whose teacher accepted it: everybody there can learn it, and it counts for the class."""
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: ClassVar[models.Manager["DocumentCourse"]] = DocumentCourseQuerySet.as_manager()

    class Meta:
        verbose_name = _("course from a document")
        verbose_name_plural = _("courses from documents")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("document-course", args=[self.pk])

    def value(self) -> DocumentDraft:
        """Return the draft as a value; only for one that is ready."""
        return draft_from_json(self.draft)

    def keep(self, draft: DocumentDraft) -> None:
        """Store a changed draft, with the course and the title."""
        self.draft = draft_to_json(draft)
        self.save(update_fields=["draft", "course", "title"])

    @property
    def is_in_work(self) -> bool:
        return self.status in (self.Status.WAITING, self.Status.DRAFTING)
