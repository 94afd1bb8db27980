"""Courses that teachers write in the browser: the draft, and all its versions."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tutoring.models.courses import Course


class AuthoredCourse(models.Model):
    """The draft of a course. `files` has the text of each file of the course format, valid or not."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="authored_courses")
    title = models.CharField(max_length=200)
    course = models.OneToOneField(Course, on_delete=models.SET_NULL, null=True, blank=True, related_name="authored")
    """The course that it became; None before it is published."""
    files = models.JSONField()
    revision = models.PositiveIntegerField(default=0)
    """The number of the latest version."""
    published_revision = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("course written in the browser")
        verbose_name_plural = _("courses written in the browser")
        ordering = ["-updated_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("write-course", args=[self.pk])

    @property
    def is_changed(self) -> bool:
        """Whether it has changed since it was published."""
        return self.revision != self.published_revision


class AuthoredVersion(models.Model):
    """One change of a draft: the texts of the files that changed, null for a file that was deleted."""

    authored = models.ForeignKey(AuthoredCourse, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    changes = models.JSONField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    message = models.CharField(max_length=200)
    is_published = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("version of a written course")
        verbose_name_plural = _("versions of written courses")
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["authored", "number"], name="versions_of_a_draft_are_numbered")]

    def __str__(self) -> str:
        return f"{self.authored_id}: {self.number}"
