"""What teachers changed in the grades of answers."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.questions import Attempt

REASON_MAX_LENGTH = 500


class GradeChangeQuerySet(models.QuerySet["GradeChange"]):
    def in_force(self) -> "GradeChangeQuerySet":
        return self.filter(undone_at=None)


class GradeChange(models.Model):
    """A teacher's change of an answer's grade, or of whether it counts, with what it was before."""

    class Kind(models.TextChoices):
        REGRADED = "regraded", _("graded again")
        NOT_COUNTED = "not_counted", _("does not count")
        OVERRIDDEN = "overridden", _("grade changed by a teacher")

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="grade_changes")
    kind = models.CharField(max_length=12, choices=Kind)
    reason = models.CharField(max_length=REASON_MAX_LENGTH, blank=True)
    before = models.JSONField()
    """The grade before: `{verdict, score, correct, judgement, misconceptions, left_out}`."""
    after = models.JSONField()
    """The grade after, in the same form."""
    suspected = models.JSONField(default=list, blank=True)
    """The misconceptions that the change touched, as they were before and after: `{misconception, before, after}`."""
    mastery_before = models.FloatField(null=True, blank=True)
    """The mastery score (0–1) before; null without one."""
    mastery_after = models.FloatField(null=True, blank=True)
    recounted = models.BooleanField(default=False)
    """Whether the mastery was computed again."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    """When the learner saw it."""

    objects: models.Manager["GradeChange"] = GradeChangeQuerySet.as_manager()

    class Meta:
        verbose_name = _("grade change")
        verbose_name_plural = _("grade changes")
        constraints = [
            models.UniqueConstraint(
                fields=["attempt"], condition=models.Q(undone_at=None), name="one_grade_change_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.attempt} · {self.get_kind_display()}"
