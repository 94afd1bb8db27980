"""Accounts that a class's teachers created from a roster, and invitations to teach a class together."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import SOURCE_ID_MAX_LENGTH, Classroom

ROSTER_NAME_MAX_LENGTH = 80


class RosterAccount(models.Model):
    """An account that a class's teachers created for a pupil. They can print new sign-in cards for it.

    Nobody else's account has such a row, so no teacher can set anybody else's password.
    """

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="roster_account")
    classroom = models.ForeignKey(Classroom, on_delete=models.SET_NULL, null=True, related_name="roster_accounts")
    """The class whose teachers may print cards; None after that class was deleted."""
    name = models.CharField(max_length=ROSTER_NAME_MAX_LENGTH)
    """The name in the roster; the pupil may have changed the one that is displayed."""
    source_id = models.CharField(max_length=SOURCE_ID_MAX_LENGTH, blank=True, db_index=True)
    """The `sourcedId` in the school's OneRoster files; empty without one."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("account from a roster")
        verbose_name_plural = _("accounts from rosters")

    def __str__(self) -> str:
        return self.name


class CoTeacherInvite(models.Model):
    """A link with which one other teacher can join a class as its teacher. Only its hash is stored."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="invites")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("invitation to teach a class")
        verbose_name_plural = _("invitations to teach a class")

    def __str__(self) -> str:
        return f"{self.classroom_id}: {self.expires_at:%Y-%m-%d %H:%M}"
