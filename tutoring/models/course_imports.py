"""Imports of courses: what was read from a teacher's files, before and after it becomes a course."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tutoring.models.courses import Course


class CourseImport(models.Model):
    """The draft of a course, read from files. `draft` has its questions and topics, and what was left out."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="course_imports"
    )
    """None for courses that `import_course` added for everybody."""
    title = models.CharField(max_length=200)
    draft = models.JSONField()
    course = models.ForeignKey(Course, on_delete=models.SET_NULL, null=True, blank=True, related_name="imports")
    """The course that it became; None before that."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("course import")
        verbose_name_plural = _("course imports")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("course-import", args=[self.pk])
