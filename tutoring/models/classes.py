"""Classes, their members, and what each class has agreed that its teachers may see."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

NAME_MAX_LENGTH = 120
CONTACT_MAX_LENGTH = 300
SOURCE_ID_MAX_LENGTH = 255
AFFECT_CHOICES = {
    True: _(
        "The tutor may slow down or speed up based on how your messages sound. "
        "Nobody else sees how the tutor reads your tone."
    ),
    False: _("The tutor does not try to read your mood."),
}
"""Whether the tutor may estimate the mood, as learners of the class read it."""
RECORDS_SENT = _(
    "What you do from now on in lessons is also sent to your school’s record store: which questions you answered, "
    "whether they were right, and which topics you mastered. It is sent under a code, without your name or your words."
)
"""What learners read if records are sent to the configured store."""
NOTICE: Final = timedelta(days=14)
"""How long before it takes effect learners can read that something is new in the agreement."""


class Classroom(models.Model):
    """A class. Learners join it with its code."""

    code = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=NAME_MAX_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    """Since when it is archived: nobody can join it any more."""
    source_id = models.CharField(max_length=SOURCE_ID_MAX_LENGTH, blank=True)
    """The `sourcedId` of the class in the school's OneRoster files that it was imported from; empty without one."""

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("class", args=[self.code])

    @property
    def audience(self) -> str:
        """The class's name as an audience of flags, libraries and sockets."""
        return f"class:{self.code}"


class Membership(models.Model):
    """A person's membership in a class."""

    class Role(models.TextChoices):
        TEACHER = "teacher", _("teacher")
        LEARNER = "learner", _("learner")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.LEARNER)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [models.UniqueConstraint(fields=["classroom", "person"], name="one_place_in_a_class")]

    def __str__(self) -> str:
        return f"{self.person} · {self.classroom}"


class ClassGroup(models.Model):
    """A named group of learners in a class, made by its teachers."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(_("name"), max_length=NAME_MAX_LENGTH)
    members = models.ManyToManyField(Membership, related_name="groups", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["classroom", "name"], name="one_group_of_a_name")]

    def __str__(self) -> str:
        return self.name


class Policy(models.Model):
    """What the teachers of a class may see. Every learner in the class can read this policy."""

    class Conversations(models.TextChoices):
        NOTHING = "nothing", _("Your teacher can’t read your conversations.")
        SUMMARIES = "summaries", _("Your teacher can read summaries of your conversations, not your words.")
        EVERYTHING = (
            "everything",
            _("From now on, your teacher can read your conversations. You can see every time they do."),
        )

    class Progress(models.TextChoices):
        NOTHING = "nothing", _("Your teacher can’t see your progress.")
        LEVELS = (
            "levels",
            _("Your teacher can see your progress on each topic and your goals, but not your answers."),
        )
        EVIDENCE = (
            "evidence",
            _("Your teacher can see your progress on each topic, your goals and your answers."),
        )

    class Concerns(models.TextChoices):
        NOBODY = (
            "nobody",
            _(
                "If something you write makes it sound as if you are in danger, the tutor tells you who to talk to. "
                "Your teacher is not told."
            ),
        )
        TEACHER = (
            "teacher",
            _(
                "If something you write makes it sound as if you are in danger, your teacher is told that you may "
                "need help and how urgent it seems, but not what you wrote. If it is about a teacher, no teacher "
                "is told."
            ),
        )

    class Guardians(models.TextChoices):
        NOTHING = "nothing", _("This class has no pages for your parents or guardians.")
        MONTHLY = (
            "monthly",
            _(
                "Once a month, your parents or guardians can see on a page what you learned and how long you practiced. "
                "They see no answers, no conversations and nothing about others. You can see when the page is opened."
            ),
        )

    class Keeps(models.TextChoices):
        ALWAYS = "always", _("Your conversations and the words of your answers are kept until you delete them.")
        TWO_YEARS = (
            "two_years",
            _("Your conversations, messages and the words of your answers are deleted after two years."),
        )
        ONE_YEAR = "one_year", _("Your conversations, messages and the words of your answers are deleted after a year.")

    classroom = models.OneToOneField(Classroom, on_delete=models.CASCADE, related_name="policy")
    conversations = models.CharField(max_length=12, choices=Conversations, default=Conversations.NOTHING)
    conversations_since = models.DateTimeField(null=True, blank=True)
    """When conversations, or summaries of them, became readable: what was said before stays with the learner."""
    mastery = models.CharField(max_length=12, choices=Progress, default=Progress.EVIDENCE)
    affect = models.BooleanField(default=False)
    """Whether the tutor may adapt to the mood it estimates from words and timing; teachers never see it."""
    concerns = models.CharField(max_length=12, choices=Concerns, default=Concerns.TEACHER)
    contact = models.CharField(max_length=CONTACT_MAX_LENGTH, blank=True)
    """Who to talk to, in the teachers' words: learners read it when something they write sounds like they need help."""
    platform = models.CharField(max_length=120, blank=True)
    """The learning platform that the class comes from; empty for none."""
    sends_grades = models.BooleanField(default=True)
    """Whether scores are sent to that platform. Where teachers may not see progress, none are."""
    sends_records = models.BooleanField(default=False)
    """Whether records of learning are sent to the configured record store."""
    guardians = models.CharField(max_length=12, choices=Guardians, default=Guardians.NOTHING)
    guardians_since = models.DateTimeField(null=True, blank=True, editable=False)
    """When the class agreed on pages for guardians; they begin after the notice."""
    keeps = models.CharField(max_length=12, choices=Keeps, default=Keeps.ALWAYS)
    """How long conversations and the words of answers are kept."""
    keeps_since = models.DateTimeField(null=True, blank=True, editable=False)
    """When the class agreed on it; deletion begins after the notice."""
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("policy")
        verbose_name_plural = _("policies")

    def __str__(self) -> str:
        return str(self.classroom)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stored = self._agreed()

    def save(self, *args: Any, **kwargs: Any) -> None:
        self._note_changes()
        super().save(*args, **kwargs)
        self._stored = self._agreed()

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        self._stored = self._agreed()

    def _agreed(self) -> dict[str, Any]:
        """Return the settings whose beginning is noted, as far as they are loaded."""
        return {name: self.__dict__.get(name) for name in ("conversations", "guardians", "keeps")}

    def _note_changes(self) -> None:
        """Note since when each setting holds: a new one is for the future only."""
        for name, off in (
            ("conversations", self.Conversations.NOTHING),
            ("guardians", self.Guardians.NOTHING),
            ("keeps", self.Keeps.ALWAYS),
        ):
            since, value = f"{name}_since", getattr(self, name)
            if value == off:
                setattr(self, since, None)
            elif getattr(self, since) is None or value != self._stored[name] != off:
                setattr(self, since, timezone.now())

    @property
    def shows_levels(self) -> bool:
        return self.mastery != self.Progress.NOTHING

    @property
    def shows_answers(self) -> bool:
        return self.mastery == self.Progress.EVIDENCE

    @property
    def shows_conversations(self) -> bool:
        return self.conversations == self.Conversations.EVERYTHING

    @property
    def shows_summaries(self) -> bool:
        return self.conversations == self.Conversations.SUMMARIES

    @property
    def tells_of_concerns(self) -> bool:
        return self.concerns == self.Concerns.TEACHER

    @property
    def shares_grades(self) -> bool:
        return bool(self.platform) and self.sends_grades and self.shows_levels

    @property
    def shares_records(self) -> bool:
        return bool(settings.XAPI_ENDPOINT) and self.sends_records

    def readable_since(self, joined_at: datetime) -> datetime | None:
        """Return the time from which teachers may read the words of a learner who joined then; None if they may not."""
        if not self.shows_conversations:
            return None
        return max(joined_at, self.conversations_since or joined_at)

    def summarized_since(self, joined_at: datetime) -> datetime | None:
        """Return the same of summaries; they are of conversations that began later."""
        if not self.shows_summaries:
            return None
        return max(joined_at, self.conversations_since or joined_at)

    def guardians_from(self, joined_at: datetime) -> datetime | None:
        """Return when guardians of a learner who joined then may see their page; None if the class has no such pages.

        Who joined after it was agreed on read it before joining. There is no page of what teachers themselves may not see.
        """
        if self.guardians == self.Guardians.NOTHING or self.guardians_since is None or not self.shows_levels:
            return None
        return joined_at if joined_at > self.guardians_since else self.guardians_since + NOTICE

    @property
    def words(self) -> list[str | Promise]:
        """The policy in sentences, as learners of the class read it."""
        words = [
            self.Conversations(self.conversations).label,
            self.Progress(self.mastery).label,
            AFFECT_CHOICES[self.affect],
            self.Concerns(self.concerns).label,
            self.Guardians(self.guardians).label,
            self.Keeps(self.keeps).label,
        ]
        contact = [_("Who you can talk to: %(contact)s") % {"contact": self.contact}] if self.contact else []
        return [*words, *self._words_about_others, *contact]

    @property
    def _words_about_others(self) -> list[str | Promise]:
        """What goes to other programs, in sentences."""
        words: list[str | Promise] = []
        if self.shares_grades:
            grades = _("When you open a topic from %(platform)s, your score on it is sent to %(platform)s as a grade.")
            words.append(grades % {"platform": self.platform})
        elif self.platform:
            words.append(_("No grades are sent to %(platform)s.") % {"platform": self.platform})
        if self.shares_records:
            words.append(RECORDS_SENT)
        return words


class AccessLog(models.Model):
    """A record that somebody has looked at what a class shows of a learner. The learner can see this record."""

    class Kind(models.TextChoices):
        CONVERSATION = "conversation", _("A conversation")
        SUMMARY = "summary", _("A summary of a conversation")
        ANSWERS = "answers", _("Your answers")
        LEARNER = "learner", _("The page about you")
        REPORT = "report", _("A report with your name")
        GUARDIAN = "guardian", _("The monthly page for your parents or guardians")

    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Empty for a guardian, who has no account."""
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="readings")
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.CONVERSATION)
    session = models.ForeignKey(
        "conversations.Session", on_delete=models.CASCADE, null=True, blank=True, related_name="readings"
    )
    """The conversation, or the one that was summarized."""
    classroom = models.ForeignKey(Classroom, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("reading")
        verbose_name_plural = _("readings")
        indexes = [models.Index(fields=["learner", "-created_at"])]

    def __str__(self) -> str:
        return f"{self.reader} · {self.what}"

    @property
    def what(self) -> str:
        """What was looked at, in words for the learner; a conversation by its name."""
        return str(self.session) if self.session is not None else str(self.Kind(self.kind).label)
