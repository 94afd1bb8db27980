"""Flags: who gets a feature, and the record of changes."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agents.rollout.known_flags import find_problems
from agents.rollout.rule import find_overlap

MAX_ALLOWED = 1_000
NAME_OR_CODE = re.compile(r"[\w.@+:-]{1,160}")
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""Dates in this form are in order as text, too."""


def parse_percent(text: object) -> Decimal:
    """Return a percentage from 0 to 100 with at most two decimal places. Raises ValidationError."""
    try:
        percent = Decimal(str(text))
        fits = 0 <= percent <= 100 and percent == percent.quantize(Decimal("0.01"))
    except InvalidOperation:
        fits = False
    if not fits:
        raise ValidationError(
            _("A percentage must be a number from 0 to 100 with at most two decimal places."), code="percent"
        )
    return percent.quantize(Decimal("0.01"))


def validate_allowed(names: object) -> None:
    """Raise ValidationError unless it is a list of at most MAX_ALLOWED usernames and class codes."""
    if not isinstance(names, list) or len(names) > MAX_ALLOWED:
        raise ValidationError(_("Enter at most %(most)d people and classes."), params={"most": MAX_ALLOWED})
    for name in names:
        if not isinstance(name, str) or not NAME_OR_CODE.fullmatch(name):
            raise ValidationError(
                _("“%(name)s” is neither a username nor a class code."), params={"name": str(name)[:40]}
            )


def validate_never(ends: object) -> None:
    """Raise ValidationError unless it maps usernames and class codes to dates in ISO format, or to no date ("")."""
    if not isinstance(ends, dict):
        raise ValidationError(_("Enter people and classes, each with a date or with none."))
    validate_allowed(list(ends))
    for end in ends.values():
        if end != "":
            parse_end(end)


def parse_end(text: object) -> date:
    """Return a date such as 2026-09-21. Raises ValidationError."""
    try:
        return date.fromisoformat(text if isinstance(text, str) and ISO_DATE.fullmatch(text) else "")
    except ValueError:
        words = _("“%(text)s” is not a date. Enter a date such as 2026-09-21.")
        raise ValidationError(words, params={"text": str(text)[:40]}) from None


def site_today() -> date:
    """Return today's date in the time zone of the site, whoever asks."""
    return timezone.localdate(timezone=timezone.get_default_timezone())


def validate_class_percents(percents: object) -> None:
    """Raise ValidationError unless it maps class codes to percentages."""
    if not isinstance(percents, dict) or len(percents) > MAX_ALLOWED:
        raise ValidationError(_("Enter a percentage for each class code."))
    validate_allowed(list(percents))
    for percent in percents.values():
        parse_percent(percent)


class Flag(models.Model):
    """Who gets a feature. To change a flag, use `agents.rollout.flags.change_flag`, which records the change."""

    name = models.CharField(
        _("name"),
        max_length=64,
        unique=True,
        validators=[
            RegexValidator(r"\A[a-z0-9_.-]+\Z", _("Use only lowercase letters, digits, and these characters: _ . -"))
        ],
    )
    percent = models.DecimalField(
        _("percentage"),
        max_digits=5,
        decimal_places=2,
        default=Decimal(0),
        validators=[
            MinValueValidator(0, _("The percentage must be 0 or more.")),
            MaxValueValidator(100, _("The percentage must be 100 or less.")),
        ],
        help_text=_(
            "0 means nobody, and 100 means everybody. Raising the percentage never takes the feature away from anyone."
        ),
    )
    killed = models.BooleanField(
        _("kill switch"),
        default=False,
        help_text=_("Turns the feature off for everybody within five seconds, regardless of the other settings."),
    )
    allowed = models.JSONField(_("always on for"), default=list, blank=True, validators=[validate_allowed])
    never = models.JSONField(_("never on for"), default=dict, blank=True, validators=[validate_never])
    """Username or class code → the day from which it no longer counts, as ISO text; empty for no end. Without order: PostgreSQL keeps none."""
    class_percents = models.JSONField(
        _("percentage by class"), default=dict, blank=True, validators=[validate_class_percents]
    )
    mode = models.CharField(_("read mode"), max_length=10, blank=True)
    """What the flag chooses besides on and off: for the storage, where conversations are read from."""
    salt = models.CharField(_("salt"), max_length=64, editable=False)
    """Decides the order in which people get in; different for each flag, never changed."""
    version = models.PositiveIntegerField(_("version"), default=1, editable=False)

    class Meta:
        verbose_name = _("flag")
        verbose_name_plural = _("flags")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        problems = find_problems(self)
        if overlap := self._find_overlap():
            problems["never"] = overlap
        if problems:
            raise ValidationError(problems)

    def never_now(self) -> dict[str, date | None]:
        """Return who never has the feature as of today → the day on which that ends; without the entries that have ended."""
        today = site_today()
        ends = {name: date.fromisoformat(end) if end else None for name, end in sorted(self.never.items())}
        return {name: end for name, end in ends.items() if end is None or end > today}

    def _find_overlap(self) -> str:
        """Return in words which entry is on both lists; empty if there is none. An entry that has ended is on neither."""
        try:
            validate_allowed(self.allowed)
            validate_never(self.never)
        except ValidationError:
            return ""  # Said beside its own field.
        pairs = find_overlap(self.allowed, self.never_now())
        if not pairs:
            return ""
        words = gettext(
            "“%(never)s” is also on the list “Always on for” (“%(always)s”). Remove it from one of the lists."
        )
        return words % {"never": pairs[0][1], "always": pairs[0][0]}

    def settings_now(self) -> dict[str, Any]:
        """Return the values that a change can affect, as JSON; percentages as text, so that no decimals are lost."""
        return {
            "percent": f"{self.percent:.2f}",
            "killed": self.killed,
            "allowed": self.allowed,
            "never": self.never,
            "class_percents": self.class_percents,
            "mode": self.mode,
        }


class FlagChange(models.Model):
    """One change to a flag: the values before and after, who changed it, and when."""

    flag = models.ForeignKey(Flag, on_delete=models.CASCADE, related_name="changes")
    at = models.DateTimeField(_("when"), default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who")
    )
    """None for a change by a command, or by a person since erased."""
    version = models.PositiveIntegerField(_("version"))
    before = models.JSONField(_("before"), null=True)
    """None if the flag was created."""
    after = models.JSONField(_("after"))

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return gettext("version %(version)d") % {"version": self.version}


class PlannedChange(models.Model):
    """A new percentage for a flag, planned for a later time. To plan or cancel one, use `agents.rollout.planned_changes`."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        CANCELLED = "cancelled", _("cancelled")
        CONFLICT = "conflict", _("not done: the flag was changed in the meantime")
        REFUSED = "refused", _("not done: refused")

    flag = models.ForeignKey(Flag, on_delete=models.CASCADE, related_name="planned_changes")
    due_at = models.DateTimeField(_("when"))
    percent = models.DecimalField(_("percentage"), max_digits=5, decimal_places=2)
    version = models.PositiveIntegerField(_("version"))
    """The flag's version that it is based on; it follows the planned changes before it."""
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    why_not = models.CharField(_("why not"), max_length=300, blank=True)
    """Why it was refused."""
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who")
    )
    planned_at = models.DateTimeField(_("planned"), default=timezone.now)
    cancelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(_("ended"), null=True)
    """When it was done, cancelled or refused."""

    class Meta:
        verbose_name = _("planned change")
        verbose_name_plural = _("planned changes")
        ordering = ["due_at", "pk"]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(status="waiting"), name="changes_to_come")]

    def __str__(self) -> str:
        return f"{self.flag_id}: {self.percent}"
