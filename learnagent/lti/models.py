"""Registered learning platforms, what they have opened here, and the grades that go back to them."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tutoring.models import Classroom, Concept

ID_MAX_LENGTH = 255
"""The longest id of a platform, as the LTI specification limits it."""
URL_MAX_LENGTH = 1000
SCORE_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def validate_address(url: str) -> None:
    """Accept https addresses, and http for this machine only. Raises ValidationError."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or "@" in parts.netloc or parts.fragment or any(character.isspace() for character in url):
        raise ValidationError(_("Enter a complete address, such as https://lms.example.org/path."))
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOCAL_HOSTS):
        raise ValidationError(_("The address must start with https://."))


def origin_of(url: str) -> str:
    """Return an address's scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


class Platform(models.Model):
    """A learning platform, such as Moodle or Canvas, that an admin has registered."""

    name = models.CharField(_("name"), max_length=120, help_text=_("Pupils and teachers see this name."))
    issuer = models.CharField(_("issuer"), max_length=URL_MAX_LENGTH, help_text=_("Also called the platform ID."))
    client_id = models.CharField(_("client ID"), max_length=ID_MAX_LENGTH)
    deployments = models.TextField(_("deployment IDs"), help_text=_("One on each line."))
    auth_url = models.CharField(
        _("sign-in address"),
        max_length=URL_MAX_LENGTH,
        validators=[validate_address],
        help_text=_("Also called the authentication request URL."),
    )
    token_url = models.CharField(
        _("token address"),
        max_length=URL_MAX_LENGTH,
        validators=[validate_address],
        help_text=_("Also called the access token URL."),
    )
    jwks_url = models.CharField(
        _("key address"),
        max_length=URL_MAX_LENGTH,
        validators=[validate_address],
        help_text=_("Also called the public keyset URL or JWKS URL."),
    )
    pages = models.TextField(
        _("addresses of its pages"),
        blank=True,
        help_text=_(
            "Optional. Pages at these addresses may show learnagent in a frame. One on each line, such as "
            "https://school.instructure.com. The issuer and the sign-in address are always allowed."
        ),
    )
    is_active = models.BooleanField(_("can open learnagent"), default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("learning platform")
        verbose_name_plural = _("learning platforms")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["issuer", "client_id"], name="one_registration_a_client")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        for page in self.pages.split():
            try:
                validate_address(page)
            except ValidationError as error:
                raise ValidationError({"pages": error.messages}) from None

    @property
    def deployment_ids(self) -> frozenset[str]:
        return frozenset(filter(None, (line.strip() for line in self.deployments.splitlines())))

    @property
    def service_origins(self) -> frozenset[str]:
        """The origins that an admin has entered: requests to them are sent wherever they are."""
        return frozenset(map(origin_of, (self.auth_url, self.token_url, self.jwks_url)))

    @property
    def frame_origins(self) -> list[str]:
        """The origins whose pages may show learnagent's launch pages in a frame."""
        urls = [url for url in (self.issuer, self.auth_url, *self.pages.split()) if "://" in url]
        return sorted({origin_of(url) for url in urls})


class ToolKey(models.Model):
    """A key pair with which learnagent signs what it sends to platforms. The private key is stored encrypted."""

    kid = models.CharField(max_length=64, unique=True)
    public_jwk = models.JSONField()
    private_key = models.TextField(editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("signing key")
        verbose_name_plural = _("signing keys")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.kid


class LoginState(models.Model):
    """A launch that has begun and not arrived yet. It is deleted as it arrives, so that it counts once."""

    digest = models.CharField(max_length=64, unique=True)
    nonce_digest = models.CharField(max_length=64)
    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("begun launch")
        verbose_name_plural = _("begun launches")

    def __str__(self) -> str:
        return f"{self.platform_id}: {self.expires_at:%Y-%m-%d %H:%M}"


class PlatformAccount(models.Model):
    """A person of a platform and their account here. Only the platform's own id of the person links the two."""

    platform = models.ForeignKey(Platform, on_delete=models.PROTECT, related_name="accounts")
    subject = models.CharField(_("ID on the platform"), max_length=ID_MAX_LENGTH)
    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="platform_account")
    created_at = models.DateTimeField(default=timezone.now)
    launched_at = models.DateTimeField(_("last opened"), default=timezone.now)

    class Meta:
        verbose_name = _("platform account")
        verbose_name_plural = _("platform accounts")
        constraints = [models.UniqueConstraint(fields=["platform", "subject"], name="one_account_a_subject")]

    def __str__(self) -> str:
        return f"{self.person} · {self.platform}"


class PlatformCourse(models.Model):
    """A course on a platform and the class here that belongs to it, which its first teacher creates by opening it."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="courses")
    deployment = models.CharField(max_length=ID_MAX_LENGTH)
    context = models.CharField(max_length=ID_MAX_LENGTH)
    title = models.CharField(max_length=120, blank=True)
    classroom = models.OneToOneField(
        Classroom, on_delete=models.SET_NULL, null=True, blank=True, related_name="platform_course"
    )

    class Meta:
        verbose_name = _("course on a platform")
        verbose_name_plural = _("courses on platforms")
        constraints = [
            models.UniqueConstraint(fields=["platform", "deployment", "context"], name="one_course_a_context")
        ]

    def __str__(self) -> str:
        return self.title or self.context


class PlatformLink(models.Model):
    """A link in a platform's course that opens learnagent, and where scores for it are sent."""

    course = models.ForeignKey(PlatformCourse, on_delete=models.CASCADE, related_name="links")
    resource = models.CharField(max_length=ID_MAX_LENGTH)
    concept = models.ForeignKey(Concept, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """What it opens; None for the start page."""
    line_item = models.CharField(max_length=URL_MAX_LENGTH, blank=True)
    """Where scores are sent; empty if the platform takes none for it."""

    class Meta:
        verbose_name = _("link on a platform")
        verbose_name_plural = _("links on platforms")
        constraints = [models.UniqueConstraint(fields=["course", "resource"], name="one_link_a_resource")]

    def __str__(self) -> str:
        return f"{self.course} · {self.concept or '–'}"


class Ticket(models.Model):
    """A checked launch that waits for its button to be pressed, once. Only the hash of its secret is stored."""

    digest = models.CharField(max_length=64, unique=True)
    account = models.ForeignKey(PlatformAccount, on_delete=models.CASCADE, related_name="+")
    link = models.ForeignKey(PlatformLink, on_delete=models.CASCADE, null=True, related_name="+")
    deep_linking = models.JSONField(default=dict)
    """What the platform said about choosing content; empty for a launch that opens something."""
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("launch ticket")
        verbose_name_plural = _("launch tickets")

    def __str__(self) -> str:
        return f"{self.account_id}: {self.expires_at:%Y-%m-%d %H:%M}"


class Grade(models.Model):
    """A learner's grade for a link that they have opened: the score to be sent, and what became of it."""

    class Status(models.TextChoices):
        NONE = "none", _("no score yet")
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        GIVEN_UP = "given_up", _("given up")

    account = models.ForeignKey(PlatformAccount, on_delete=models.CASCADE, related_name="grades")
    link = models.ForeignKey(PlatformLink, on_delete=models.CASCADE, related_name="grades")
    score = models.PositiveSmallIntegerField(_("score"), null=True, blank=True)
    """0 to 100, as it is to be on the platform."""
    is_mastered = models.BooleanField(_("mastered"), default=False)
    scored_at = models.DateTimeField(_("changed"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.NONE)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), null=True, blank=True)
    answer = models.CharField(_("platform’s answer"), max_length=200, blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("grade")
        verbose_name_plural = _("grades")
        constraints = [models.UniqueConstraint(fields=["account", "link"], name="one_grade_a_link")]
        indexes = [models.Index(fields=["next_at"], condition=models.Q(status="waiting"), name="grades_to_send")]

    def __str__(self) -> str:
        return f"{self.link}: {self.score if self.score is not None else '–'}"
