"""Orders for questions that a model writes, and their results."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tutoring.courses.exercises.exercise import Exercise, written_template_id
from tutoring.models.courses import Concept
from tutoring.question_writing.drafts import DraftQuestion, draft_to_exercise

DUE_AT_MOST_IN = timedelta(minutes=30)
"""An order is never due further ahead than this."""
LEASE_LENGTH = timedelta(minutes=4)
"""How long an order is leased to a worker; writing and checking end well before."""


class WrittenQuestionQuerySet(models.QuerySet["WrittenQuestion"]):
    def waiting(self) -> "WrittenQuestionQuerySet":
        return self.filter(status=WrittenQuestion.Status.ORDERED)

    def checked(self) -> "WrittenQuestionQuerySet":
        return self.filter(status=WrittenQuestion.Status.CHECKED)

    def due(self) -> "WrittenQuestionQuerySet":
        """Orders that are due by the database's clock, or scheduled further ahead than any correct clock would."""
        return self.waiting().filter(Q(due_at__lte=Now()) | Q(due_at__gt=Now() + DUE_AT_MOST_IN))

    def free(self) -> "WrittenQuestionQuerySet":
        """Orders that no living worker holds."""
        return self.waiting().filter(lease_owner="") | self.due()


class WrittenQuestion(models.Model):
    """A request to a model for a question, and the question that the model wrote. It contains no data about learners."""

    class Status(models.TextChoices):
        ORDERED = "ordered", _("requested")
        CHECKED = "checked", _("checked and ready to use")
        REJECTED = "rejected", _("rejected")
        RETIRED = "retired", _("retired")

    class Reason(models.TextChoices):
        SHAPE = "shape", _("not a complete question")
        LENGTH = "length", _("too long")
        MARKUP = "markup", _("contains markup that is not allowed")
        LANGUAGE = "language", _("not in the course’s language")
        WORDING = "wording", _("not in the tutor’s voice, or about something the learner can’t see")
        KEY = "key", _("its own answer is marked wrong")
        TWO_RIGHT = "two_right", _("more than one choice is right")
        MISCONCEPTION = "misconception", _("names a misconception that does not exist")
        LEAK = "leak", _("a hint gives the answer away")
        SOLUTION = "solution", _("the solution has a wrong calculation, or never states the answer")
        REPEATS = "repeats", _("this question already exists")
        CHECKER = "checker", _("the checker got a different answer")
        UNREADABLE = "unreadable", _("the model’s reply had the wrong format")
        NO_ANSWER = "no_answer", _("no model answered after several tries")
        WITHDRAWN = "withdrawn", _("removed by an admin")

    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="written_questions")
    status = models.CharField(max_length=10, choices=Status, default=Status.ORDERED)
    reason = models.CharField(max_length=20, choices=Reason, blank=True)
    """Why it cannot be asked; empty if it can."""
    detail = models.TextField(blank=True)
    """The exact finding."""
    item = models.JSONField(default=dict, blank=True)
    """The draft as the model wrote it."""
    checking = models.JSONField(default=dict, blank=True)
    """The checker's solution: `{working, answer}`; empty if it was never checked."""
    model = models.CharField(max_length=120, blank=True)
    prompts = models.JSONField(default=dict, blank=True)
    """Agent → version of its prompt."""
    created_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    """How often a worker took it."""
    lease_owner = models.CharField(max_length=64, blank=True)
    due_at = models.DateTimeField(db_default=Now())
    """When it has to be looked at again if still open: at the end of its lease, or at the next try."""

    objects: ClassVar[models.Manager["WrittenQuestion"]] = WrittenQuestionQuerySet.as_manager()

    class Meta:
        verbose_name = _("model-written question")
        verbose_name_plural = _("model-written questions")
        indexes = [
            models.Index(fields=["concept", "status"]),
            models.Index(fields=["due_at"], condition=Q(status="ordered"), name="orders_that_are_due"),
        ]

    def __str__(self) -> str:
        return str(self.item.get("stem") or written_template_id(self.pk))[:100]

    def draft(self) -> DraftQuestion:
        return DraftQuestion.model_validate(self.item)

    def instance(self) -> Exercise:
        """Return the question as an exercise; always the same. For checked and retired ones."""
        return draft_to_exercise(self.draft(), order=self.pk, concept=self.concept.slug)
