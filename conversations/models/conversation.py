"""Models of a conversation: session, turn, message, event, transition, finding."""

from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models.fields.json import KT
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from agents.storage.time_ordered_ids import new_time_ordered_id

KEY_MAX_LENGTH = 128
TITLE_MAX_LENGTH = 200
TEXT_MAX_LENGTH = 10_000
EXCERPT_LENGTH = 100
UNTOLD_KEY = "untold"
"""The key in a session's state that lists what changed between turns."""
"""Number of characters of the triggering message that a transition keeps."""


class SessionQuerySet(models.QuerySet["Session"]):
    def owned_by(self, person: Any) -> "SessionQuerySet":
        return self.filter(owner=person)

    def listed(self) -> "SessionQuerySet":
        """Sessions that are not archived: pinned ones first, then by latest activity; `topic` is empty without a lesson."""
        rows = self.filter(archived=False).annotate(topic=KT("state__current_topic"))
        return rows.order_by("-pinned", "-updated_at", "-pk")

    def in_trash(self, *, since: timedelta) -> "SessionQuerySet":
        """Sessions deleted within this time, by the database's clock, the last deleted first."""
        return self.filter(deleted_at__gt=Now() - since).order_by("-deleted_at", "-pk")


class SessionManager(models.Manager["Session"]):
    """All conversations except deleted ones."""

    def get_queryset(self) -> SessionQuerySet:
        return SessionQuerySet(self.model, using=self._db).filter(deleted_at=None)

    def owned_by(self, person: Any) -> SessionQuerySet:
        return self.get_queryset().owned_by(person)


class Session(models.Model):
    """A learner's conversation. Its key is either chosen by a client or generated, and works only for the owner."""

    class AnsweredBy(models.TextChoices):
        FITTING = "fitting", _("the tutor or the team, whichever fits")
        TUTOR = "tutor", _("just the tutor")
        TEAM = "team", _("the whole team")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conversations", db_index=False
    )
    key = models.CharField(max_length=KEY_MAX_LENGTH)
    title = models.CharField(max_length=TITLE_MAX_LENGTH, blank=True)
    state = models.JSONField(default=dict, blank=True)
    """State shared by all agents of the conversation; docs/explanation/team.md lists the keys."""
    positions = models.JSONField(default=dict, blank=True)
    """Graph name → where its walk waits for the learner, as returned by `agents.engine.runner`."""
    answered_by = models.CharField(max_length=7, choices=AnsweredBy, default=AnsweredBy.FITTING)
    """Who answers open questions in it, as its owner wishes."""
    flags = models.JSONField(default=dict, blank=True)
    """Flag name → the side on which the conversation began, `in` or `out`: it stays there."""
    pinned = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True)
    """When its owner deleted it. Its key can then be used again; it is empty once the words are deleted for good."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects: ClassVar[SessionManager] = SessionManager()
    with_deleted = SessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "key"],
                condition=models.Q(deleted_at=None),
                name="session_key_is_the_owners",
            )
        ]
        indexes = [models.Index(fields=["owner", "-updated_at"])]

    def __str__(self) -> str:
        return self.title or self.key

    def get_absolute_url(self) -> str:
        return reverse("conversation", args=[self.key])

    def change(self, key: str, value: Any) -> None:
        """Change the shared state outside a turn; the next turn reports it. The caller saves the session."""
        self.state[key] = value
        self.state[UNTOLD_KEY] = sorted({*self.state.get(UNTOLD_KEY, ()), key})


class TurnStatus(models.TextChoices):
    """The state of a turn: queued, running, or how it ended."""

    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("being answered")
    DONE = "done", _("answered")
    STOPPED = "stopped", _("stopped")
    DEGRADED = "degraded", _("partly answered")
    FAILED = "failed", _("failed")
    INTERRUPTED = "interrupted", _("interrupted")


OPEN_STATUSES = (TurnStatus.QUEUED, TurnStatus.RUNNING)


class TurnQuerySet(models.QuerySet["Turn"]):
    def unfinished(self) -> "TurnQuerySet":
        return self.filter(status__in=OPEN_STATUSES)

    def orphaned(self) -> "TurnQuerySet":
        """Unfinished turns whose lease has run out, by the database's clock, oldest first."""
        return self.unfinished().filter(lease_until__lt=Now()).order_by("created_at")


class Turn(models.Model):
    """A learner's message and everything that is done to answer it."""

    class Kind(models.TextChoices):
        OPEN = "open", _("a lesson was opened")
        MESSAGE = "message", _("a message")
        ANSWER = "answer", _("an answer on a card")

    id = models.UUIDField(primary_key=True, default=new_time_ordered_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns", db_index=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="turns", db_index=False)
    number = models.PositiveIntegerField()
    """Position in the session, starting at 1. Order turns by this number, never by time."""
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.MESSAGE)
    client_id = models.CharField(max_length=64)
    body_hash = models.CharField(max_length=64)
    """SHA-256 of what the client sent. The same `client_id` with a different body is a conflict."""
    payload = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=12, choices=TurnStatus, default=TurnStatus.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=0)
    """How many processes have tried the turn."""
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    stop_requested = models.BooleanField(default=False)
    answer = models.JSONField(default=dict, blank=True)
    """The finished turn as the v2 API returns it, and its metadata."""
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    """By the database's clock, which all processes share. The limit per minute is counted with it."""
    finished_at = models.DateTimeField(null=True, blank=True)
    analysis = models.JSONField(null=True, blank=True)
    """How the message was understood; None until then, and for turns without a message."""
    decision = models.JSONField(null=True, blank=True)
    """What was decided from that analysis; None until it was carried out."""
    before = models.JSONField(default=dict, blank=True)
    """The session before the message: `{state, positions}`; empty for older turns."""
    replaces = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="newer_versions"
    )
    """The turn whose message this one edits."""
    replaced_by = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="undone")
    """The later turn that replaced this one or an earlier one. Empty for active turns."""

    objects: ClassVar[models.Manager["Turn"]] = TurnQuerySet.as_manager()

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        constraints = [
            models.UniqueConstraint(fields=["owner", "client_id"], name="client_id_names_one_turn_of_a_person"),
            models.UniqueConstraint(fields=["session", "number"], name="turns_are_numbered_in_a_session"),
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(status__in=["queued", "running"]), name="one_open_turn_a_session"
            ),
        ]
        indexes = [
            models.Index(fields=["status", "lease_until"]),
            models.Index(fields=["owner", "created_at"]),
            models.Index(fields=["created_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}/{self.number}"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_STATUSES


class Message(models.Model):
    """A stored message: a learner's message or a reply."""

    class Author(models.TextChoices):
        LEARNER = "learner", _("learner")
        TEAM = "team", _("team")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="messages")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="messages", db_index=False)
    author = models.CharField(max_length=8, choices=Author)
    agent = models.CharField(max_length=30, blank=True)
    text = models.TextField(blank=True)
    cards = models.JSONField(default=list, blank=True)
    """Cards shown with a reply, in order: `{kind, id, at, …}`; `at` is the number of characters of text before it."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [models.UniqueConstraint(fields=["turn", "author"], name="one_message_a_side_and_turn")]

    def __str__(self) -> str:
        return self.text[:EXCERPT_LENGTH]


class Feedback(models.Model):
    """A person's feedback on a reply. The person can change or withdraw it."""

    class Verdict(models.TextChoices):
        UP = "up", _("helpful")
        DOWN = "down", _("not helpful")

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="feedback")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feedback")
    verdict = models.CharField(max_length=4, choices=Verdict)
    words = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        constraints = [models.UniqueConstraint(fields=["turn", "person"], name="one_feedback_a_person_and_turn")]
        indexes = [models.Index(fields=["-updated_at"])]

    def __str__(self) -> str:
        return self.words[:EXCERPT_LENGTH] or str(self.get_verdict_display())


class Event(models.Model):
    """One event of a turn, stored so that it can be sent to clients again."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=30)
    body = models.JSONField()
    """The whole event as sent to clients."""

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [models.UniqueConstraint(fields=["turn", "seq"], name="events_are_numbered_in_a_turn")]

    def __str__(self) -> str:
        return f"{self.turn_id} {self.seq} {self.type}"


class Transition(models.Model):
    """A handoff of the learner from one agent to another, with its reason."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="transitions", db_index=False)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="transitions")
    from_agent = models.CharField(max_length=30, blank=True)
    to_agent = models.CharField(max_length=30)
    strategy = models.CharField(max_length=20, blank=True)
    confidence = models.FloatField(null=True, blank=True)
    reason = models.TextField(blank=True)
    message_excerpt = models.CharField(max_length=EXCERPT_LENGTH, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("transition")
        verbose_name_plural = _("transitions")
        indexes = [models.Index(fields=["session", "created_at"]), models.Index(fields=["created_at"])]

    def __str__(self) -> str:
        return f"{self.from_agent or '·'} → {self.to_agent}"


class Finding(models.Model):
    """Something that an agent noticed about the learner in a turn, with the evidence."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="findings")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="findings")
    agent = models.CharField(max_length=30)
    kind = models.CharField(max_length=30)
    name = models.CharField(max_length=100, blank=True)
    """The app's own name for the finding, for example a misconception's id."""
    words = models.TextField()
    """The finding as a sentence that the learner can read."""
    evidence = models.TextField(blank=True)
    """The learner's own words or answer that the finding is based on."""
    confidence = models.FloatField(null=True, blank=True)
    resolved_turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    content = models.JSONField(default=dict, blank=True)
    """Further details for the tutor, such as what to try and the idea that corrects the misconception."""
    told_turn = models.PositiveIntegerField(null=True, blank=True)
    """The number of the latest turn whose instructions contained the finding. The next turn leaves it out."""
    overridden_turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The turn in which the tutor decided otherwise."""
    overridden_why = models.CharField(max_length=200, blank=True)
    contested_at = models.DateTimeField(null=True, blank=True)
    """When the learner said that the finding is wrong."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("finding")
        verbose_name_plural = _("findings")

    def __str__(self) -> str:
        return self.words
