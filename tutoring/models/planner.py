"""The planner: a person's workspaces, tasks, events, meals and notes, and what each change replaced."""

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import Classroom
from tutoring.models.courses import Concept

PERSONAL_WORKSPACE = "personal"
"""The key of the workspace that everybody has."""
KEY_MAX_LENGTH, TITLE_MAX_LENGTH, NOTES_MAX_LENGTH, RULE_MAX_LENGTH, USE_KEY_MAX_LENGTH = 60, 300, 4_000, 500, 200
NO_PRIORITY, HIGHEST_PRIORITY = 0, 3
LOWEST_RATING, HIGHEST_RATING = 1, 5


class Workspace(models.Model):
    """A named space of a person; tools, pages and searches see the rows of one workspace only."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="workspaces")
    key = models.SlugField(max_length=KEY_MAX_LENGTH)
    """In addresses and in the API: `personal`, `class-4b`, or made from the title."""
    title = models.CharField(max_length=80)
    classroom = models.ForeignKey(Classroom, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The class it was made for; empty for the person's own."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("workspace")
        verbose_name_plural = _("workspaces")
        constraints = [models.UniqueConstraint("owner", Lower("key"), name="one_workspace_a_key")]

    def __str__(self) -> str:
        return self.title


class EntryQuerySet(models.QuerySet[Any]):
    def kept(self) -> "EntryQuerySet":
        """Entries that were not removed."""
        return self.filter(removed_at=None)

    def inside(self, workspace: Workspace) -> "EntryQuerySet":
        """Entries of this workspace that were not removed."""
        return self.kept().filter(workspace=workspace)


class Entry(models.Model):
    """What all planner rows have in common. A removed row is kept until its removal can no longer be undone."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="%(class)s_rows")
    use_key = models.CharField(max_length=USE_KEY_MAX_LENGTH, blank=True)
    """The tool use that made it, so that a turn that runs again makes nothing twice; empty for a row made on a page."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[Any]] = EntryQuerySet.as_manager()

    class Meta:
        abstract = True


class Task(Entry):
    """Something to do: homework or any other task, with subtasks."""

    class Kind(models.TextChoices):
        TODO = "todo", _("to-do")
        HOMEWORK = "homework", _("homework")
        REMINDER = "reminder", _("reminder")

    title = models.CharField(max_length=TITLE_MAX_LENGTH)
    notes = models.CharField(max_length=NOTES_MAX_LENGTH, blank=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.TODO)
    priority = models.PositiveSmallIntegerField(
        default=NO_PRIORITY, validators=[MinValueValidator(NO_PRIORITY), MaxValueValidator(HIGHEST_PRIORITY)]
    )
    """0 for none, 3 for the highest."""
    due_on = models.DateField(null=True, blank=True)
    """The day by which it is due, in the owner's time zone."""
    due_at = models.DateTimeField(null=True, blank=True)
    """The time at which it is due; empty if only the day is known."""
    remind_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="subtasks")
    """The task that it is a part of; a subtask has no subtasks of its own."""
    position = models.PositiveIntegerField(default=0)
    """Its place among the subtasks of its parent, or on the list if it was moved by hand."""
    concept = models.ForeignKey(Concept, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("task")
        verbose_name_plural = _("tasks")
        indexes = [
            models.Index(fields=["workspace", "done_at", "due_on"]),
            models.Index(fields=["remind_at"], condition=models.Q(reminded_at=None), name="reminders_to_send"),
        ]

    def __str__(self) -> str:
        return self.title


class CalendarEvent(Entry):
    """An entry of the calendar: once or recurring, at a time or on whole days."""

    class Kind(models.TextChoices):
        APPOINTMENT = "appointment", _("appointment")
        TEST = "test", _("test")
        STUDY = "study", _("study session")
        IMPORTED = "imported", _("from another calendar")

    title = models.CharField(max_length=TITLE_MAX_LENGTH)
    place = models.CharField(max_length=TITLE_MAX_LENGTH, blank=True)
    notes = models.CharField(max_length=NOTES_MAX_LENGTH, blank=True)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.APPOINTMENT)
    is_all_day = models.BooleanField(default=False)
    starts_at = models.DateTimeField()
    """The start of the first occurrence; for whole days, midnight of the first day in `zone`."""
    ends_at = models.DateTimeField()
    """The end of the first occurrence; for whole days, midnight after the last day."""
    zone = models.CharField(max_length=64)
    """The IANA time zone in which it recurs at the same time of day."""
    rule = models.CharField(max_length=RULE_MAX_LENGTH, blank=True)
    """The RRULE of RFC 5545, without its name; empty for an event that happens once."""
    last_ends_at = models.DateTimeField(null=True, blank=True)
    """The end of the last occurrence; empty if it recurs forever."""
    excluded = models.JSONField(default=list, blank=True)
    """The starts of occurrences that were cancelled or moved, as ISO 8601 in UTC."""
    series = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="moved")
    """The recurring event of which this is one occurrence that was moved."""
    uid = models.CharField(max_length=255, blank=True)
    """The UID in iCalendar files."""
    remind_before = models.PositiveIntegerField(null=True, blank=True)
    """Minutes before each occurrence; empty for no reminder."""
    reminded_for = models.DateTimeField(null=True, blank=True)
    """The start of the last occurrence for which a reminder was sent."""
    concept = models.ForeignKey(Concept, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """What a study session is about."""

    class Meta:
        verbose_name = _("calendar event")
        verbose_name_plural = _("calendar events")
        indexes = [models.Index(fields=["workspace", "starts_at", "last_ends_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "uid"],
                condition=~models.Q(uid="") & models.Q(removed_at=None, series=None),
                name="one_event_a_uid",
            ),
            models.CheckConstraint(
                condition=models.Q(ends_at__gte=models.F("starts_at")), name="event_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Meal(Entry):
    """A meal that was eaten or is planned."""

    class Kind(models.TextChoices):
        BREAKFAST = "breakfast", _("breakfast")
        LUNCH = "lunch", _("lunch")
        DINNER = "dinner", _("dinner")
        SNACK = "snack", _("snack")

    eaten_at = models.DateTimeField()
    kind = models.CharField(max_length=10, choices=Kind)
    foods = models.JSONField(default=list)
    """What it consisted of, as the person said it: `["pasta", "salad"]`."""
    tags = models.JSONField(default=list, blank=True)
    rating = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(LOWEST_RATING), MaxValueValidator(HIGHEST_RATING)]
    )
    notes = models.CharField(max_length=NOTES_MAX_LENGTH, blank=True)
    is_planned = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("meal")
        verbose_name_plural = _("meals")
        indexes = [models.Index(fields=["workspace", "-eaten_at"])]

    def __str__(self) -> str:
        return ", ".join(self.foods) or str(self.get_kind_display())


class Note(Entry):
    """Something that a person asked to be remembered."""

    text = models.CharField(max_length=NOTES_MAX_LENGTH)
    embedding = models.BinaryField(null=True, blank=True, editable=False)
    """Its sentence embedding as float32 values, to find it by meaning; empty until it was computed."""
    outside_id = models.CharField(max_length=100, blank=True, editable=False)
    """Its id on the OpenMemory server; empty if it is not stored there."""
    outside_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When it was stored there; what was changed since is stored anew."""

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        indexes = [models.Index(fields=["workspace", "-updated_at"])]

    def __str__(self) -> str:
        return self.text[:80]


class PlannerChange(models.Model):
    """What one action changed, so that it can be undone."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="changes")
    words = models.CharField(max_length=NOTES_MAX_LENGTH)
    """What was done, as the person was told."""
    rows = models.JSONField()
    """`[{model, id, before, after}]`: the fields that changed; `before` is null for a row that was made."""
    use_key = models.CharField(max_length=USE_KEY_MAX_LENGTH, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("planner change")
        verbose_name_plural = _("planner changes")
        indexes = [models.Index(fields=["workspace", "-made_at"])]

    def __str__(self) -> str:
        return self.words


class PlannerSettings(models.Model):
    """When a person's days begin and end, and what the planner may send them. By default it sends nothing."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="planner_settings")
    workspace = models.ForeignKey(Workspace, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The workspace shown on the pages; empty for the personal one."""
    day_starts = models.PositiveSmallIntegerField(default=8, validators=[MaxValueValidator(23)])
    day_ends = models.PositiveSmallIntegerField(default=20, validators=[MaxValueValidator(24)])
    """Hours between which study sessions are planned, in the owner's time zone."""
    session_minutes = models.PositiveSmallIntegerField(
        default=25, validators=[MinValueValidator(10), MaxValueValidator(180)]
    )
    """The length of a planned study session."""
    mails = models.BooleanField(default=False)
    """Whether reminders are sent by mail, too."""
    first_messages = models.BooleanField(default=False)
    """Whether the tutor may write first, at most once a day."""
    first_message_at = models.DateTimeField(null=True, blank=True)
    feed_key = models.CharField(max_length=32, blank=True)
    """Part of the calendar feed's address; empty while there is no feed."""

    class Meta:
        verbose_name = _("planner settings")
        verbose_name_plural = _("planner settings")

    def __str__(self) -> str:
        return str(self.owner_id)


class WebhookDelivery(models.Model):
    """A message to the configured workflow server: sent until it is accepted, or given up on."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        GIVEN_UP = "given_up", _("given up")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """Sent along as the idempotency key."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=40)
    """What happened: `task_due`, `event_created`, `asked`."""
    body = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField()
    """When it is tried next."""
    answer = models.CharField(max_length=200, blank=True)
    """The last attempt's status code or error."""
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        indexes = [models.Index(fields=["next_at"], condition=models.Q(status="waiting"), name="webhooks_to_send")]

    def __str__(self) -> str:
        return f"{self.kind} ({self.status})"
