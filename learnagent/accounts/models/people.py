"""People, what signs them in (browser, token, link), and what they asked for of their data."""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.people import audiences_of
from learnagent.accounts.managers import PersonManager
from learnagent.accounts.validators import validate_storable, validate_zone

if TYPE_CHECKING:
    from learnagent.accounts.authentication.sessions import SessionStore


class Role(models.TextChoices):
    """A person's role: learner, teacher or admin."""

    LEARNER = "learner", _("learner")
    TEACHER = "teacher", _("teacher")
    ADMIN = "admin", _("admin")


class Level(models.TextChoices):
    """A person's level, as reported by that person."""

    UNKNOWN = "unknown", _("not sure")
    BEGINNER = "beginner", _("beginner")
    INTERMEDIATE = "intermediate", _("intermediate")
    ADVANCED = "advanced", _("advanced")


class Theme(models.TextChoices):
    """The color theme: light, dark, or the system's setting."""

    SYSTEM = "system", _("same as this device")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class TextSize(models.TextChoices):
    """The size of the text on pages."""

    NORMAL = "normal", _("normal")
    LARGE = "large", _("large")
    LARGER = "larger", _("larger")


class Scope(models.TextChoices):
    """What a program may do with a token. Scopes do not limit a person who uses a browser."""

    READ = "read", _("read and search")
    CONVERSE = "converse", _("send messages and files")
    ADMIN = "admin", _("view site settings and statistics")


class AgeBand(models.TextChoices):
    """A person's age group."""

    CHILD = "child", _("under 13")
    TEEN = "teen", _("13 to 17")
    ADULT = "adult", _("18 or older")


def languages() -> list[tuple[str, str]]:
    """Return the languages the pages come in."""
    return [(code, str(name)) for code, name in settings.LANGUAGES]


CONSENT_FIELDS = ("consented_at", "consent_decided_at")
"""What `Person.set_consent` changes."""


class Person(AbstractBaseUser):
    """A learner, teacher or admin."""

    username = models.CharField(
        _("username"),
        max_length=150,
        unique=True,
        validators=[UnicodeUsernameValidator(message=_("A username can contain only letters, digits and @ . + - _"))],
        help_text=_("Use letters, digits and @ . + - _"),
        error_messages={"unique": _("This name is taken. Choose another.")},
    )
    display_name = models.CharField(
        _("display name"), max_length=80, blank=True, validators=[validate_storable], help_text=_("Optional.")
    )
    email = models.EmailField(
        _("email address"),
        blank=True,
        db_index=True,
        help_text=_(
            "Optional. We use it to reset your password. Teachers also get an email when a pupil may need help."
        ),
    )
    """In lower case; several people may share one."""
    role = models.CharField(_("role"), max_length=16, choices=Role, default=Role.LEARNER)
    level = models.CharField(_("level"), max_length=16, choices=Level, default=Level.UNKNOWN)
    language = models.CharField(_("language"), max_length=16, choices=languages, default="en")
    zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_storable, validate_zone])
    theme = models.CharField(_("light or dark"), max_length=8, choices=Theme, default=Theme.SYSTEM)
    text_size = models.CharField(_("text size"), max_length=8, choices=TextSize, default=TextSize.NORMAL)
    age_band = models.CharField(_("age"), max_length=8, choices=AgeBand, default=AgeBand.ADULT)
    consented_at = models.DateTimeField(
        _("agreed to the use of external models at"), null=True, blank=True, editable=False
    )
    consent_decided_at = models.DateTimeField(_("consent decision made at"), null=True, blank=True, editable=False)
    """When the person last said yes or no; None if they never did."""
    guardian_agreed_at = models.DateTimeField(
        _("guardian agreed to the use of external models at"), null=True, blank=True, editable=False
    )
    """None without a guardian's consent, or after it was withdrawn. It counts until the person is an adult."""
    is_demo = models.BooleanField(_("demo person"), default=False, editable=False)
    is_guest = models.BooleanField(_("caller without an account"), default=False, editable=False)
    """Whether this is somebody who called by phone. Guests cannot sign in, and are erased after a day."""
    is_active = models.BooleanField(_("can sign in"), default=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    scopes: frozenset[str] = frozenset(Scope.values)
    """What this sign-in may do: everything, except for a program with a token. Not stored here."""

    objects = PersonManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS = []

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["username"]

    def __str__(self) -> str:
        return self.display_name or self.username

    def clean(self) -> None:
        super().clean()
        self.email = self.email.lower()

    def get_short_name(self) -> str:
        return str(self)

    @property
    def is_adult(self) -> bool:
        return self.age_band == AgeBand.ADULT

    @property
    def consent(self) -> bool:
        """Whether this person's words may reach an outside model: an adult's own consent, else a guardian's."""
        return (self.consented_at if self.is_adult else self.guardian_agreed_at) is not None

    def set_consent(self, given: bool) -> None:
        """Note consent, its refusal or its withdrawal; the day it was first given stays. Not saved: CONSENT_FIELDS."""
        self.consent_decided_at = timezone.now()
        self.consented_at = (self.consented_at or self.consent_decided_at) if given else None

    @property
    def needs_consent_decision(self) -> bool:
        """Whether this person may consent to outside models and never said yes or no."""
        return self.is_adult and self.consented_at is None and self.consent_decided_at is None

    @property
    def audiences(self) -> frozenset[str]:
        """The groups this person is in, such as `class:4b`. Asks the database."""
        return audiences_of(self)

    @property
    def is_staff(self) -> bool:
        return self.role == Role.ADMIN

    @property
    def is_superuser(self) -> bool:
        return self.is_staff

    def has_perm(self, permission: str, obj: object = None) -> bool:
        return self.is_active and self.is_staff

    def has_perms(self, permissions: Iterable[str], obj: object = None) -> bool:
        return self.is_active and self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_active and self.is_staff


def in_a_year() -> datetime:
    """Return when a token expires unless another time is named."""
    return timezone.now() + timedelta(days=365)


class ApiToken(models.Model):
    """A token with which a person's program signs in. Only its hash is stored; the token itself is shown once."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    label = models.CharField(_("purpose"), max_length=80, blank=True, validators=[validate_storable])
    prefix = models.CharField(max_length=16, db_index=True)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(_("permissions"), max_length=40, default="read converse")
    """Scopes, separated by spaces."""
    expires_at = models.DateTimeField(_("expires"), default=in_a_year)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.prefix}…"

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    def get_scopes_display(self) -> list[str]:
        return [str(Scope(name).label) for name in self.scopes.split()]


class SignInLink(models.Model):
    """A link with which a person can sign in once before it expires. Only its hash is stored."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True, blank=True)
    is_card = models.BooleanField(default=False)
    """Whether it is printed on a sign-in card: it lets the person choose a password, and signs them in only then."""

    class Meta:
        verbose_name = _("sign-in link")
        verbose_name_plural = _("sign-in links")

    def __str__(self) -> str:
        return f"{self.person_id}: {self.expires_at:%Y-%m-%d %H:%M}"


class BrowserSession(AbstractBaseSession):
    """A browser's session, linked to a person and deleted with the person. `session_key` is a hash of the key in the cookie."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="browser_sessions"
    )
    """None until somebody signs in."""

    class Meta:
        verbose_name = _("browser session")
        verbose_name_plural = _("browser sessions")

    @classmethod
    def get_session_store_class(cls) -> "type[SessionStore]":
        from learnagent.accounts.authentication.sessions import SessionStore

        return SessionStore


class DataCopy(models.Model):
    """A copy of all data about a person, made at the person's request. It is large, so it is created in the background."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="data_copies")
    asked_at = models.DateTimeField(default=timezone.now)
    ready_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    """Bytes."""

    class Meta:
        verbose_name = _("copy of a person’s data")
        verbose_name_plural = _("copies of people’s data")
        ordering = ["-asked_at"]

    def __str__(self) -> str:
        return str(self.id)


class Erasure(models.Model):
    """A record of an account's erasure. After the erasure, it contains only counts and no information about the person."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    subject = models.BigIntegerField(null=True, blank=True)
    """The person's number while their rows are being erased; None afterwards."""
    traces = models.JSONField(default=list, blank=True)
    """Words to look for in files meanwhile; empty afterwards."""
    asked_at = models.DateTimeField(_("requested"), default=timezone.now)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    counts = models.JSONField(_("deleted rows"), default=dict, blank=True)
    """Kind of row → how many."""

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")
        ordering = ["-asked_at"]

    def __str__(self) -> str:
        return str(self.id)
