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
    """What one refit found for a course, beside what was in force; kept, whether it was taken or not.

    Masteries that are stored stay what they are when other parameters come into force. They are what the learner was shown,
    with the four numbers of each answer beside them, and a night without an answer must not change them; the answers ahead
    are weighed by the new parameters, which soon outweigh where a belief began.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """Never used twice, so that a process may keep what it read under it."""
    course = models.ForeignKey("tutoring.Course", on_delete=models.CASCADE, related_name="refits")
    version = models.PositiveIntegerField()
    """From 1 for each course."""
    values = models.JSONField()
    """Concept's slug → the fields of `SkillParameters`; a concept that is not in it keeps the priors."""
    answers = models.PositiveIntegerField()
    """First attempts that it rests on."""
    learners = models.PositiveIntegerField()
    loss_before = models.FloatField()
    """Log-loss (nats an answer) on learners who were not fitted to, with what was in force."""
    loss_after = models.FloatField()
    worst_calibration = models.FloatField()
    """By how much the calibration error (0–1) of the concept that lost most grew."""
    accepted = models.BooleanField()
    """Whether it was better by enough; only then may it be in force."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("mastery refit")
        verbose_name_plural = _("mastery refits")
        ordering = ["course", "-version"]
        constraints = [models.UniqueConstraint(fields=["course", "version"], name="refits_are_numbered_in_a_course")]

    def __str__(self) -> str:
        return f"{self.course} {self.version}"

    @property
    def gain(self) -> float:
        """The share of the log-loss that it saves; negative where it is worse."""
        return 1 - self.loss_after / self.loss_before

    def skills(self) -> Mapping[str, SkillParameters]:
        """Return the parameters by concept. What another version of the program stored beside them is passed over."""
        return {
            slug: SkillParameters(**{name: value for name, value in of.items() if name in _NAMES})
            for slug, of in self.values.items()
        }
