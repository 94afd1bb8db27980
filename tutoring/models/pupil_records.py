"""What teachers keep about a pupil: notes, and milestones that they withdrew."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import Classroom
from tutoring.models.courses import SLUG_MAX_LENGTH, Course

NOTE_MAX_LENGTH = 2000
REASON_MAX_LENGTH = 500


class PupilNote(models.Model):
    """A note of a class's teachers about a pupil. The pupil does not see it on the pages, but in the copy of their data."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="pupil_notes")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes_by_teachers")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    text = models.TextField(max_length=NOTE_MAX_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("note about a pupil")
        verbose_name_plural = _("notes about pupils")
        indexes = [models.Index(fields=["classroom", "learner"])]

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.text[:60]}"


class MilestoneWithdrawal(models.Model):
    """A milestone that no longer counts as reached, because a teacher withdrew it. The learner can disagree."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="withdrawn_milestones")
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="+")
    milestone = models.SlugField(max_length=SLUG_MAX_LENGTH)
    reason = models.CharField(max_length=REASON_MAX_LENGTH)
    """In the teacher's words, for the learner."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    objection = models.CharField(max_length=REASON_MAX_LENGTH, blank=True)
    """Why the learner disagrees."""
    objected_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("withdrawn milestone")
        verbose_name_plural = _("withdrawn milestones")
        constraints = [
            models.UniqueConstraint(fields=["learner", "course", "milestone"], name="a_milestone_is_withdrawn_once")
        ]

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.milestone}"
