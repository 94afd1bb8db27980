"""Contests: what learners say is wrong in their record, and what a teacher decided about it."""

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tutoring.models.courses import SLUG_MAX_LENGTH, Concept
from tutoring.models.questions import Attempt

REASON_MAX_LENGTH = 500
NOTE_MAX_LENGTH = 500


class ContestQuerySet(models.QuerySet["Contest"]):
    def open(self) -> "ContestQuerySet":
        return self.filter(decided_at=None)


class Contest(models.Model):
    """A learner's report that something in their record is wrong. The report itself changes no grade."""

    class About(models.TextChoices):
        VERDICT = "verdict", _("an answer’s grade")
        SCORE = "score", _("a score")
        START = "start", _("a topic counted as known at the start")
        IDEA = "idea", _("a mistaken idea")

    class Decision(models.TextChoices):
        KEPT = "kept", _("kept")
        LEFT_OUT = "left_out", _("left out")

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="contests")
    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="contests")
    about = models.CharField(max_length=10, choices=About, default=About.VERDICT)
    attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, null=True, blank=True, related_name="contest")
    """The answer whose verdict is contested; empty for everything else."""
    misconception = models.SlugField(max_length=SLUG_MAX_LENGTH, blank=True)
    """The idea that the learner says they do not have; the concept is one that it belongs to."""
    reason = models.CharField(max_length=REASON_MAX_LENGTH, blank=True)
    """In the learner's words."""
    score = models.FloatField(null=True, blank=True)
    """The mastery score (0–1) that the learner saw; empty for a verdict and for an idea."""
    unfaded = models.FloatField(null=True, blank=True)
    """The score (0–1) without forgetting, where the one shown was lowered by it."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    decision = models.CharField(max_length=10, choices=Decision, blank=True)
    recounted = models.BooleanField(default=False)
    """Whether the mastery was computed again without the answer."""
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=NOTE_MAX_LENGTH, blank=True)
    """What the teacher says about it, for the learner."""
    seen_at = models.DateTimeField(null=True, blank=True)
    """When the learner saw the decision."""

    objects: ClassVar[models.Manager["Contest"]] = ContestQuerySet.as_manager()

    if TYPE_CHECKING:
        attempt_id: int | None

    class Meta:
        verbose_name = _("contest")
        verbose_name_plural = _("contests")
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "concept", "about", "misconception"],
                condition=models.Q(attempt=None, decided_at=None),
                name="a_number_or_an_idea_is_contested_once_at_a_time",
            )
        ]
        indexes = [models.Index(fields=["learner", "decided_at"])]

    def __str__(self) -> str:
        return f"{self.learner} · {self.concept}"
