"""Concerns: who may need help, when and how urgently. The words are only in the conversation and are deleted with it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import Classroom


class Concern(models.Model):
    """A message that suggests danger or asks for something unsafe."""

    class Kind(models.TextChoices):
        # Teachers read these words: how urgent it looks, and nothing of what was said.
        DANGER_NOW = "danger_now", _("may be in danger right now")
        HARM_TO_SELF = "harm_to_self", _("may not be okay")
        HARM_BY_OTHERS = "harm_by_others", _("may need someone to talk to")
        UNSAFE_REQUEST = "unsafe_request", _("asked for something unsafe")

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="concerns")
    session = models.ForeignKey("conversations.Session", on_delete=models.SET_NULL, null=True, related_name="concerns")
    turn = models.UUIDField(null=True, blank=True, unique=True)
    """Id of the turn it was said in, which may be deleted; for an answer on a page of its own, a substitute id."""
    kind = models.CharField(max_length=16, choices=Kind)
    is_sure = models.BooleanField(default=True)
    """False: the learner was asked kindly, and no class is told."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("concern")
        verbose_name_plural = _("concerns")
        indexes = [models.Index(fields=["learner", "-created_at"])]

    def __str__(self) -> str:
        return f"{self.learner} · {self.get_kind_display()}"


class ConcernNotice(models.Model):
    """Tells a class's teachers about a concern, if the class agreement allows this. Also records who has seen the notice."""

    concern = models.ForeignKey(Concern, on_delete=models.CASCADE, related_name="tellings")
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="tellings")
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("concern notice")
        verbose_name_plural = _("concern notices")
        constraints = [models.UniqueConstraint(fields=["concern", "classroom"], name="a_class_is_told_once")]

    def __str__(self) -> str:
        return f"{self.concern} · {self.classroom}"
