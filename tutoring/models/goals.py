"""A learner's goals, their path, placements, knowledge gaps and reviews."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.mastery.goal_words import wish_in
from tutoring.models.courses import Concept, Course

WORDS_MAX_LENGTH = 300


class GoalQuerySet(models.QuerySet["Goal"]):
    def open(self) -> "GoalQuerySet":
        """Goals that are neither reached nor dropped, in the order they were set."""
        return self.filter(reached_at=None, dropped_at=None).order_by("pk")


class Goal(models.Model):
    """A concept that a learner wants to master, and the learner's own words for the goal."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="goals")
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="goals")
    session = models.ForeignKey(
        "conversations.Session", on_delete=models.SET_NULL, null=True, blank=True, related_name="goals"
    )
    """The conversation it was set in; empty for one picked on the map."""
    words = models.CharField(max_length=WORDS_MAX_LENGTH, blank=True)
    due_on = models.DateField(null=True, blank=True)
    """The day by which the learner wants to reach it."""
    created_at = models.DateTimeField(auto_now_add=True)
    reached_at = models.DateTimeField(null=True, blank=True)
    dropped_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager["Goal"]] = GoalQuerySet.as_manager()

    class Meta:
        verbose_name = _("goal")
        verbose_name_plural = _("goals")
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "concept"],
                condition=models.Q(reached_at=None, dropped_at=None),
                name="one_open_goal_a_concept",
            )
        ]

    def __str__(self) -> str:
        return self.words or str(self.concept)

    @property
    def wish(self) -> str:
        """The goal as the learner said it; the topic's title if they chose it on a page, or said it at length."""
        return wish_in(self.words) or self.concept.title


class Path(models.Model):
    """A learner's changes to the planned path through a course."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="paths")
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="paths")
    first = models.JSONField(default=list, blank=True)
    """Slugs of concepts wanted first, as far as their prerequisites allow."""
    set_aside = models.JSONField(default=list, blank=True)
    """Slugs of concepts that the learner has put aside."""
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("path")
        verbose_name_plural = _("paths")
        constraints = [models.UniqueConstraint(fields=["learner", "course"], name="one_path_a_course")]

    def __str__(self) -> str:
        return str(self.course)


class DiagnosticResult(models.Model):
    """The result of a placement."""

    class Ended(models.TextChoices):
        SETTLED = "settled", _("the level was clear")
        CAP = "cap", _("all questions were asked")
        NOVICE = "novice", _("everything was new to the learner")
        STOPPED = "stopped", _("the learner stopped it")

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="diagnostics")
    session = models.ForeignKey("conversations.Session", on_delete=models.CASCADE, related_name="diagnostics")
    topic = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="diagnostics")
    prerequisite_gaps = models.JSONField(default=list, blank=True)
    """`{concept, current, required}` of each, mastery scores from 0 to 1, in path order."""
    learner_level = models.CharField(max_length=12)
    recommendations = models.JSONField(default=list, blank=True)
    """`{kind: "proceed" | "remediate" | "skip_ahead", concepts, reason}`."""
    questions = models.PositiveSmallIntegerField()
    ended = models.CharField(max_length=10, choices=Ended)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("diagnostic result")
        verbose_name_plural = _("diagnostic results")
        indexes = [models.Index(fields=["learner", "-created_at"])]

    def __str__(self) -> str:
        return f"{self.topic} ({self.learner_level})"


class KnowledgeGap(models.Model):
    """A concept that a learner needs but has not mastered yet."""

    class Source(models.TextChoices):
        DIAGNOSTIC = "diagnostic", _("placement")
        FEEDBACK = "feedback", _("mistakes in quizzes")

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="knowledge_gaps")
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="knowledge_gaps")
    session = models.ForeignKey(
        "conversations.Session", on_delete=models.SET_NULL, null=True, blank=True, related_name="knowledge_gaps"
    )
    source = models.CharField(max_length=10, choices=Source)
    words = models.CharField(max_length=WORDS_MAX_LENGTH, blank=True)
    """The evidence for it, as a learner may read it."""
    current = models.FloatField()
    """Mastery score (0–1) when it was opened."""
    required = models.FloatField()
    opened_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("knowledge gap")
        verbose_name_plural = _("knowledge gaps")
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "concept"], condition=models.Q(resolved_at=None), name="one_open_gap_a_concept"
            )
        ]

    def __str__(self) -> str:
        return str(self.concept)


class ReviewQuerySet(models.QuerySet["Review"]):
    def owned_by(self, person: Any) -> "ReviewQuerySet":
        return self.filter(learner_id=person.pk)


class Review(models.Model):
    """The time when a learner is due to review a mastered concept, as computed by the FSRS algorithm."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reviews")
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="reviews")
    card = models.JSONField()
    """The card as `fsrs.Card.to_dict` gives it."""
    due_at = models.DateTimeField()
    """When recall falls to the wanted level."""
    reviewed_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=0)
    """Reviews since the concept was mastered."""

    objects: ClassVar[models.Manager["Review"]] = ReviewQuerySet.as_manager()

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        constraints = [models.UniqueConstraint(fields=["learner", "concept"], name="one_review_card_a_concept")]
        indexes = [models.Index(fields=["learner", "due_at"])]

    def __str__(self) -> str:
        return str(self.concept)
