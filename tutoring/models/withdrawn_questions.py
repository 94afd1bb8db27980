"""Questions that are not asked any more, in a class or on the site, and reports of problems with questions."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import Classroom
from tutoring.models.courses import Course

TEMPLATE_MAX_LENGTH = 120
REASON_MAX_LENGTH = 500
REPORT_MAX_LENGTH = 1000


class WithdrawnQuestionQuerySet(models.QuerySet["WithdrawnQuestion"]):
    def in_force(self) -> "WithdrawnQuestionQuerySet":
        return self.filter(restored_at=None)


class WithdrawnQuestion(models.Model):
    """A question template that is not asked any more. `Course.withdrawn` repeats those in force, for the lessons."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="withdrawals")
    template = models.CharField(max_length=TEMPLATE_MAX_LENGTH)
    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, null=True, blank=True, related_name="withdrawn_questions"
    )
    """The class in which it is not asked; null for the whole site."""
    reason = models.CharField(max_length=REASON_MAX_LENGTH, blank=True)
    left_out = models.JSONField(default=list, blank=True)
    """Keys of the answers that stopped counting with it, for undo."""
    scores_changed = models.PositiveIntegerField(default=0)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    restored_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    restored_at = models.DateTimeField(null=True, blank=True)

    objects: models.Manager["WithdrawnQuestion"] = WithdrawnQuestionQuerySet.as_manager()

    class Meta:
        verbose_name = _("withdrawn question")
        verbose_name_plural = _("withdrawn questions")
        constraints = [
            models.UniqueConstraint(
                fields=["course", "template", "classroom"],
                condition=models.Q(restored_at=None),
                name="a_question_is_withdrawn_once_in_a_class",
            ),
            models.UniqueConstraint(
                fields=["course", "template"],
                condition=models.Q(restored_at=None, classroom=None),
                name="a_question_is_withdrawn_once_on_the_site",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.template} · {self.classroom or _('whole site')}"


class ClearedSuspicion(models.Model):
    """A learner's suspected misconception that changed when a question was withdrawn with its answers, for undo."""

    withdrawal = models.ForeignKey(WithdrawnQuestion, on_delete=models.CASCADE, related_name="cleared")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    misconception = models.CharField(max_length=TEMPLATE_MAX_LENGTH)
    before = models.JSONField()
    after = models.JSONField(null=True)

    class Meta:
        verbose_name = _("cleared suspicion")
        verbose_name_plural = _("cleared suspicions")

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.misconception}"


class QuestionReport(models.Model):
    """A teacher's report of a problem with a question, for admins."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="question_reports")
    template = models.CharField(max_length=TEMPLATE_MAX_LENGTH)
    words = models.CharField(_("what is wrong"), max_length=REPORT_MAX_LENGTH)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    handled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("report of a question")
        verbose_name_plural = _("reports of questions")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.template}: {self.words[:60]}"
