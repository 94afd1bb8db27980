"""Parameters of the mastery estimator, as nightly refits found them."""

import uuid
from collections.abc import Mapping
from dataclasses import fields

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tutoring.mastery.knowledge_tracing import SkillParameters

_NAMES = frozenset(each.name for each in fields(SkillParameters))


class Parameters(models.Model):
    """Parameters of the mastery estimate, fitted to the answers in a course, and how they compare with the active ones.

    Stored masteries do not change when other parameters become active. They are what the learner was shown, with the four
    numbers of each answer, and a night without an answer must not change them; later answers are weighted by the new
    parameters, which soon outweigh where a belief began.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """Never reused, so that a process may cache what it read under it."""
    course = models.ForeignKey("tutoring.Course", on_delete=models.CASCADE, related_name="refits")
    version = models.PositiveIntegerField()
    """From 1 for each course."""
    values = models.JSONField()
    """Concept's slug → the fields of `SkillParameters`; a missing concept keeps the priors."""
    answers = models.PositiveIntegerField()
    """How many first attempts it is based on."""
    learners = models.PositiveIntegerField()
    loss_before = models.FloatField()
    """Log-loss (nats per answer) on held-out learners, with the active parameters."""
    loss_after = models.FloatField()
    worst_calibration = models.FloatField()
    """By how much the calibration error (0–1) grew for the concept where it grew most."""
    accepted = models.BooleanField()
    """Whether it was enough of an improvement; only then can it be active."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("refitted mastery model")
        verbose_name_plural = _("refitted mastery models")
        ordering = ["course", "-version"]
        constraints = [models.UniqueConstraint(fields=["course", "version"], name="refits_are_numbered_in_a_course")]

    def __str__(self) -> str:
        return f"{self.course} {self.version}"

    @property
    def gain(self) -> float:
        """The share of the log-loss that it saves; negative if it is worse."""
        return 1 - self.loss_after / self.loss_before

    def skills(self) -> Mapping[str, SkillParameters]:
        """Return the parameters by concept. Fields stored by another version of the program are ignored."""
        return {
            slug: SkillParameters(**{name: value for name, value in of.items() if name in _NAMES})
            for slug, of in self.values.items()
        }
