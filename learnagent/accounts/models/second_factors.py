"""Second factors of admins: the secret shared with an authenticator app, and recovery codes."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SecondFactor(models.Model):
    """An admin's authenticator app. To change it, use `learnagent.accounts.authentication.second_factor`."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="second_factor")
    secret = models.CharField(max_length=64)
    """Base32, as authenticator apps read it."""
    created_at = models.DateTimeField(default=timezone.now)
    last_step = models.BigIntegerField(default=0)
    """The latest time step, of 30 s, whose code was used: no code works twice."""

    class Meta:
        verbose_name = _("second factor")
        verbose_name_plural = _("second factors")

    def __str__(self) -> str:
        return str(self.person_id)


class RecoveryCode(models.Model):
    """A code that replaces the authenticator app once. Only its hash is stored."""

    factor = models.ForeignKey(SecondFactor, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("recovery code")
        verbose_name_plural = _("recovery codes")
        constraints = [models.UniqueConstraint(fields=["factor", "digest"], name="one_recovery_code_a_factor")]

    def __str__(self) -> str:
        return str(self.pk)
