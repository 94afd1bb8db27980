"""Messages between a class's teachers and a pupil: one thread for each pupil and class."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import Classroom

TEXT_MAX_LENGTH = 2000


class ClassMessage(models.Model):
    """One message of a thread. It is erased with the pupil's account, and stays without an author if a teacher's is erased."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="messages")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="class_messages")
    """The pupil whose thread it is."""
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    by_learner = models.BooleanField()
    text = models.TextField(max_length=TEXT_MAX_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    """When the other side first opened the thread with it."""

    class Meta:
        verbose_name = _("class message")
        verbose_name_plural = _("class messages")
        indexes = [
            models.Index(fields=["classroom", "learner", "created_at"]),
            models.Index(fields=["learner"], condition=models.Q(read_at=None), name="unread_class_messages"),
        ]

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.text[:60]}"
