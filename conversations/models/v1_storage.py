"""Models of v1's storage: captures, imports of v1 files, and what the two storages still owe each other."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import EXCERPT_LENGTH, KEY_MAX_LENGTH, Turn

DIGEST_LENGTH = 64
"""Number of characters of a SHA-256 in hexadecimal."""
DETAIL_MAX_LENGTH = 200
SEEMS_RUNNING_FOR = timedelta(minutes=1)


class V1Import(models.Model):
    """The import of a v1 file, and its progress. The file is identified by its rows, not by its name."""

    digest = models.CharField(max_length=DIGEST_LENGTH, unique=True)
    """SHA-256 of the file's rows."""
    name = models.CharField(max_length=DETAIL_MAX_LENGTH)
    """The file's name without its folder."""
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="v1_imports"
    )
    """Whose conversations all of them are; None if a mapping names the owners."""
    total = models.PositiveIntegerField()
    """Number of rows in the file."""
    last_row = models.BigIntegerField(null=True, blank=True)
    """`rowid` of the last row that was handled; None before the first."""
    handled = models.PositiveIntegerField(default=0)
    """Number of rows handled: the sum of the four numbers below."""
    imported = models.PositiveIntegerField(default=0)
    already_there = models.PositiveIntegerField(default=0)
    """Rows that an earlier copy of the file had brought."""
    orphaned = models.PositiveIntegerField(default=0)
    """Rows stored without an owner when they were imported."""
    rejected = models.PositiveIntegerField(default=0)
    """Rows that could not be stored as an exchange. Each has a `V1RowProblem`."""
    verification = models.JSONField(default=dict, blank=True)
    """The latest comparison of the file with the storages, as `Verification.as_json`; empty before the first."""
    verified_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("import from v1")
        verbose_name_plural = _("imports from v1")

    def __str__(self) -> str:
        return self.name

    @property
    def seems_running(self) -> bool:
        """Whether it is unfinished and was going on a moment ago."""
        return self.finished_at is None and self.updated_at > timezone.now() - SEEMS_RUNNING_FOR


class CaptureQuerySet(models.QuerySet["Capture"]):
    def readable(self) -> "CaptureQuerySet":
        """Captures of active turns in conversations that are not deleted, and those that have no turn yet."""
        active = models.Q(turn__replaced_by=None, turn__session__deleted_at=None)
        return self.filter(models.Q(turn=None) | active)


class Capture(models.Model):
    """One exchange in v1's store: a person's message and the answer to it."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="captures"
    )
    """None for an orphan, whose owner an admin has yet to name."""
    session_id = models.CharField(max_length=KEY_MAX_LENGTH)
    """The conversation's key, as v1 calls it."""
    timestamp = models.DateTimeField()
    user_text = models.TextField(blank=True)
    agent_text = models.TextField(blank=True)
    """The whole answer, with its cards in words."""
    metadata = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    reply = models.TextField(null=True, blank=True)  # noqa: DJ001  # Empty is a reply of cards alone.
    """The answer without its cards; None if it has none. This is what the reply's message contains."""
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="capture")
    """The same exchange in v2's storage; None until it is stored there."""
    origin = models.CharField(max_length=DIGEST_LENGTH, blank=True)
    """SHA-256 of its row in a v1 file; empty if it was written here. A row is imported once."""
    source = models.ForeignKey(V1Import, on_delete=models.SET_NULL, null=True, blank=True, related_name="captures")

    objects = CaptureQuerySet.as_manager()

    class Meta:
        # v1's own names: a release that knows only v1's storage finds it.
        db_table = "captures"
        verbose_name = _("exchange in v1’s storage")
        verbose_name_plural = _("exchanges in v1’s storage")
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "origin"], condition=~models.Q(origin=""), name="v1_row_is_imported_once"
            ),
            models.UniqueConstraint(
                fields=["origin"], condition=~models.Q(origin="") & models.Q(owner=None), name="v1_row_is_orphaned_once"
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "session_id"]),
            models.Index(fields=["origin"]),
            models.Index(fields=["session_id"], condition=models.Q(turn=None), name="captures_without_turn"),
        ]

    def __str__(self) -> str:
        return self.user_text[:EXCERPT_LENGTH]


class StorageTask(models.Model):
    """An exchange that is in only one of the two stores because writing it to the other store failed."""

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="storage_task")
    """The finished turn that has no capture; None if it is the capture that has no turn."""
    capture = models.OneToOneField(
        Capture, on_delete=models.CASCADE, null=True, blank=True, related_name="storage_task"
    )
    problem = models.CharField(max_length=DETAIL_MAX_LENGTH)
    """The type of the latest error; never its text, which may quote the exchange."""
    attempts = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    tried_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("exchange to copy")
        verbose_name_plural = _("exchanges to copy")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(turn=None) ^ models.Q(capture=None), name="task_is_of_a_turn_or_a_capture"
            )
        ]

    def __str__(self) -> str:
        return self.problem


class V1RowProblem(models.Model):
    """A problem with a row in a v1 file, and how the import handled it."""

    class Reason(models.TextChoices):
        NO_SESSION = "no_session", _("no usable session_id")
        NO_TEXT = "no_text", _("neither user_text nor agent_text")
        TOO_LONG = "too_long", _("a value is too long")
        NULL_TEXT = "null_text", _("a text is NULL")
        LONG_TEXT = "long_text", _("a text is too long for a message")
        REPLACED = "replaced", _("NUL or invalid characters")
        BAD_TIME = "bad_time", _("no usable timestamp")
        BAD_METADATA = "bad_metadata", _("unreadable metadata")
        DUPLICATE = "duplicate", _("the same as an earlier row")

    source = models.ForeignKey(V1Import, on_delete=models.CASCADE, related_name="problems")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="v1_row_problems"
    )
    row = models.BigIntegerField()
    """`rowid` in the file."""
    v1_id = models.CharField(max_length=40, blank=True)
    session_id = models.CharField(max_length=KEY_MAX_LENGTH, blank=True)
    reason = models.CharField(max_length=12, choices=Reason)
    is_rejected = models.BooleanField()
    """False if the exchange was imported all the same."""
    detail = models.CharField(max_length=DETAIL_MAX_LENGTH, blank=True)
    raw: Any = models.JSONField(default=dict, blank=True)
    """A rejected row's values by column, in base64; long ones in part, or not at all."""

    class Meta:
        verbose_name = _("problem with a v1 row")
        verbose_name_plural = _("problems with v1 rows")
        constraints = [
            models.UniqueConstraint(fields=["source", "row", "reason"], name="one_problem_a_v1_row_and_reason")
        ]

    def __str__(self) -> str:
        return f"{self.row}: {self.reason}"
