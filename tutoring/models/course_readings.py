"""Reading material of courses: texts imported from files, attached to concepts."""

from django.db import models
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tutoring.models.courses import Course


class CourseReading(models.Model):
    """A text that belongs to a course, with its license and where it comes from."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="readings")
    title = models.CharField(max_length=200)
    license = models.CharField(max_length=500)
    attribution = models.CharField(max_length=2_000, blank=True)
    digest = models.CharField(max_length=64)
    """SHA-256 of the file: importing it again changes nothing."""
    sections = models.JSONField()
    """`[{heading, text, page, concepts: [slug]}]` in order."""
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("reading material")
        verbose_name_plural = _("reading material")
        ordering = ["title", "pk"]
        constraints = [models.UniqueConstraint(fields=["course", "digest"], name="a_text_stands_once_in_a_course")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("course-reading", args=[self.course.slug, self.pk])

    @property
    def concepts(self) -> list[str]:
        """The slugs of the concepts that it is attached to, in order."""
        return list(dict.fromkeys(slug for section in self.sections for slug in section["concepts"]))
