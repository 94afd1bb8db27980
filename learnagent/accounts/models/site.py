"""The site's name and look, announcements, and who has closed them. They are cached: see `learnagent.site.look`."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from learnagent.accounts.validators import validate_storable


class Accent(models.TextChoices):
    """The colors of links and buttons, each with enough contrast on light and dark pages."""

    TEAL = "teal", _("teal")
    BLUE = "blue", _("blue")
    PLUM = "plum", _("plum")
    RUST = "rust", _("rust")
    GREEN = "green", _("green")


class SiteLook(models.Model):
    """The one row with the site's name and look."""

    name = models.CharField(_("name of the site"), max_length=40, default="learnagent", validators=[validate_storable])
    accent = models.CharField(_("color"), max_length=8, choices=Accent, default=Accent.TEAL)
    contact = models.CharField(
        _("contact for help"),
        max_length=200,
        blank=True,
        validators=[validate_storable],
        help_text=_("An email address, a phone number, or an office, shown where people sign in and in their profile."),
    )

    class Meta:
        verbose_name = _("name and look")
        verbose_name_plural = _("name and look")

    def __str__(self) -> str:
        return self.name


class Announcement(models.Model):
    """A text on top of all pages, for some time."""

    class Audience(models.TextChoices):
        EVERYBODY = "everybody", _("everybody who is signed in")
        LEARNER = "learner", _("learners")
        TEACHER = "teacher", _("teachers")
        ADMIN = "admin", _("admins")
        CLASS = "class", _("one class")

    text = models.CharField(_("text"), max_length=300, validators=[validate_storable])
    audience = models.CharField(_("shown to"), max_length=10, choices=Audience, default=Audience.EVERYBODY)
    class_code = models.CharField(_("class"), max_length=40, blank=True)
    """Not a foreign key: classes are another app's, which depends on this one."""
    starts_at = models.DateTimeField(_("from"), default=timezone.now)
    ends_at = models.DateTimeField(_("to"), null=True, blank=True, help_text=_("Leave this empty for no end."))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, editable=False, verbose_name=_("written by")
    )
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-starts_at", "-pk"]

    def __str__(self) -> str:
        return self.text

    def clean(self) -> None:
        super().clean()
        if (self.audience == self.Audience.CLASS) != bool(self.class_code):
            raise ValidationError(_("Choose a class if, and only if, the text is for one class."), code="class")
        if self.ends_at is not None and self.starts_at is not None and self.ends_at <= self.starts_at:
            raise ValidationError({"ends_at": _("The end must be after the beginning.")})


class ClosedAnnouncement(models.Model):
    """A person has closed an announcement: it is not shown to them again."""

    announcement = models.ForeignKey(Announcement, on_delete=models.CASCADE)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)

    class Meta:
        verbose_name = _("closed announcement")
        verbose_name_plural = _("closed announcements")
        constraints = [models.UniqueConstraint(fields=["announcement", "person"], name="announcement_closed_once")]

    def __str__(self) -> str:
        return f"{self.announcement_id}/{self.person_id}"
