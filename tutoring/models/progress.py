"""A learner's progress: beliefs with their reasons, and the lessons and cycles they came from."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.mastery import knowledge_tracing, misconception_evidence
from tutoring.models.courses import SLUG_MAX_LENGTH, Concept, Course
from tutoring.models.questions import Attempt

EXAMPLE_MAX_LENGTH = 140


class Ability(models.Model):
    """How much better or worse a learner's answers are than predicted. This affects the estimates for new concepts."""

    learner = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ability")
    residual = models.FloatField(default=0.0)
    answers = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("ability")
        verbose_name_plural = _("abilities")

    def __str__(self) -> str:
        return f"{self.residual:+.2f} / {self.answers}"

    def value(self) -> knowledge_tracing.AbilityEstimate:
        return knowledge_tracing.AbilityEstimate(residual=self.residual, answers=self.answers)

    def take(self, value: knowledge_tracing.AbilityEstimate) -> None:
        self.residual, self.answers = value.residual, value.answers


class ItemOffset(models.Model):
    """How much easier (+) or harder (−) an exercise is than its author expected, judging by all learners' answers."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="item_offsets")
    template = models.CharField(max_length=120)
    offset = models.FloatField(default=0.0)
    answers = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("item offset")
        verbose_name_plural = _("item offsets")
        constraints = [models.UniqueConstraint(fields=["course", "template"], name="one_offset_a_template")]

    def __str__(self) -> str:
        return f"{self.template} {self.offset:+.2f}"

    def value(self) -> knowledge_tracing.DifficultyOffset:
        return knowledge_tracing.DifficultyOffset(offset=self.offset, answers=self.answers)

    def take(self, value: knowledge_tracing.DifficultyOffset) -> None:
        self.offset, self.answers = value.offset, value.answers


class Mastery(models.Model):
    """The probability that a learner knows a concept, and its evidence."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="masteries")
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="masteries")
    probability = models.FloatField()
    placed = models.FloatField(null=True, blank=True)
    """The probability with which a placement started it; null without one."""
    disowned_at = models.DateTimeField(null=True, blank=True)
    """When the learner said that they do not know it, although the placement took it as known; null otherwise."""
    answers = models.PositiveIntegerField(default=0)
    unassisted = models.PositiveIntegerField(default=0)
    templates = models.JSONField(default=list, blank=True)
    """Ids of the templates answered, sorted."""
    threshold = models.FloatField()
    """The mastery score that was required; a course that changes its threshold does not change a mastery reached."""
    last_at = models.DateTimeField(null=True, blank=True)
    mastered_at = models.DateTimeField(null=True, blank=True)
    """When the threshold was first reached."""

    class Meta:
        verbose_name = _("mastery")
        verbose_name_plural = _("masteries")
        constraints = [models.UniqueConstraint(fields=["learner", "concept"], name="one_mastery_a_concept")]

    def __str__(self) -> str:
        return f"{self.probability:.2f} ({self.answers})"

    def belief(self) -> knowledge_tracing.Belief:
        return knowledge_tracing.Belief(
            probability=self.probability,
            answers=self.answers,
            unassisted=self.unassisted,
            templates=frozenset(self.templates),
        )

    def take(self, belief: knowledge_tracing.Belief, *, at: datetime) -> None:
        """Store the belief after an answer given at `at`."""
        self.probability, self.answers, self.unassisted = belief.probability, belief.answers, belief.unassisted
        self.templates = sorted(belief.templates)
        self.last_at = at
        if self.mastered_at is None and self.is_mastered:
            self.mastered_at = at

    @property
    def is_mastered(self) -> bool:
        # Below a threshold that the score cannot reach, the parameters do not matter: this spares the lists their queries.
        own = self.threshold > knowledge_tracing.HIGHEST_SCORE_THRESHOLD
        skill = self.concept.skill() if own else knowledge_tracing.DEFAULT_SKILL
        return knowledge_tracing.is_mastered(self.belief(), threshold=self.threshold, skill=skill)

    @property
    def score(self) -> float | None:
        """Expected accuracy on a reference item (0–1), or None while there are too few answers for a number."""
        return knowledge_tracing.known_score(self.probability, answers=self.answers)


class MasteryChange(models.Model):
    """A change in mastery after an answer: four numbers that explain the change, and the prediction for the answer."""

    mastery = models.ForeignKey(Mastery, on_delete=models.CASCADE, related_name="changes")
    attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, related_name="change")
    before = models.FloatField()
    difficulty = models.FloatField()
    """The item's offset at the time: + is easier than usual, − harder."""
    surprise = models.FloatField(null=True, blank=True)
    """Answer (1 or 0) minus prediction; null for an assisted answer, which is no evidence."""
    after = models.FloatField()
    predicted = models.FloatField(null=True, blank=True)
    left_out = models.BooleanField(default=False)
    """Whether a teacher agreed that the answer should not count; the mastery is computed without it."""

    class Meta:
        verbose_name = _("mastery change")
        verbose_name_plural = _("mastery changes")
        indexes = [models.Index(fields=["mastery", "-id"])]

    def __str__(self) -> str:
        return f"{self.before:.2f} → {self.after:.2f}"


class MisconceptionState(models.Model):
    """How likely it is that a learner has a misconception, with the evidence from all conversations."""

    class Status(models.TextChoices):
        NONE = "none", _("not seen")
        SUSPECTED = "suspected", _("suspected")
        ACTIVE = "active", _("active")
        RESOLVED = "resolved", _("resolved")

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="misconceptions")
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="misconception_states")
    misconception = models.SlugField(max_length=SLUG_MAX_LENGTH)
    odds = models.FloatField()
    status = models.CharField(max_length=10, choices=Status, default=Status.NONE)
    resolving = models.PositiveSmallIntegerField(default=0)
    """Right, discriminating pieces of evidence since it last showed."""
    explained = models.BooleanField(default=False)
    """Whether one of them is an explanation in the learner's words."""
    noticed = models.BooleanField(default=False)
    """Whether it has been suspected since it was last resolved, or ever."""
    evidence = models.JSONField(default=list, blank=True)
    """`{turn_id, quote, source, at, was}`, oldest first, the last twenty; `was`: the state before."""
    updated_at = models.DateTimeField()

    class Meta:
        verbose_name = _("learner misconception")
        verbose_name_plural = _("learner misconceptions")
        constraints = [
            models.UniqueConstraint(fields=["learner", "course", "misconception"], name="one_state_a_misconception")
        ]

    def __str__(self) -> str:
        return f"{self.misconception} ({self.status})"

    def suspicion(self) -> misconception_evidence.Suspicion:
        """Return the suspicion as it was at `updated_at`."""
        return misconception_evidence.Suspicion(
            id=self.misconception,
            odds=self.odds,
            resolving=self.resolving,
            explained=self.explained,
            noticed=self.noticed,
        )

    def take(self, suspicion: misconception_evidence.Suspicion, *, at: datetime) -> None:
        """Store the suspicion as it is at `at`."""
        self.odds, self.resolving = suspicion.odds, suspicion.resolving
        self.explained, self.noticed = suspicion.explained, suspicion.noticed
        self.status, self.updated_at = suspicion.status, at


class Cycle(models.Model):
    """One round of a lesson on a concept: explanation, quiz and feedback."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="cycles")
    session = models.ForeignKey("conversations.Session", on_delete=models.CASCADE, related_name="cycles")
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="cycles")
    number = models.PositiveSmallIntegerField()
    quiz_score = models.FloatField(null=True, blank=True)
    """Share of the cycle's quiz questions answered right on the first attempt; null before the quiz ended."""
    mastery_achieved = models.BooleanField(null=True, blank=True)
    """Null while it is under way, and if it was left before its answers showed mastery."""
    started_at = models.DateTimeField(auto_now_add=True)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("learning cycle")
        verbose_name_plural = _("learning cycles")
        constraints = [
            models.UniqueConstraint(fields=["session", "concept", "number"], name="cycles_are_numbered_in_a_session")
        ]
        indexes = [models.Index(fields=["learner", "concept"])]

    def __str__(self) -> str:
        return f"{self.concept} {self.number}"


class ExampleShown(models.Model):
    """An example that a learner has seen in one of their conversations. The example is not shown again."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="examples_shown")
    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="examples_shown")
    example = models.CharField(max_length=EXAMPLE_MAX_LENGTH)
    """The id of a lesson piece, or of an exercise that was shown worked out."""
    turn = models.ForeignKey(
        "conversations.Turn", on_delete=models.SET_NULL, null=True, blank=True, related_name="examples_shown"
    )
    """Empty once its conversation is deleted: it still counts as seen."""
    shown_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("shown example")
        verbose_name_plural = _("shown examples")
        constraints = [
            models.UniqueConstraint(fields=["learner", "concept", "example"], name="an_example_is_shown_once")
        ]

    def __str__(self) -> str:
        return self.example


class Lesson(models.Model):
    """The lesson in a conversation, and the level at which the lesson started."""

    class Level(models.TextChoices):
        BEGINNER = "beginner", _("beginner")
        INTERMEDIATE = "intermediate", _("intermediate")
        ADVANCED = "advanced", _("advanced")

    session = models.OneToOneField("conversations.Session", on_delete=models.CASCADE, related_name="lesson")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lessons")
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="lessons")
    level = models.CharField(max_length=12, choices=Level, default=Level.BEGINNER)
    """The learner's own level when it began: used while nothing is known about the prerequisites."""
    own_level = models.CharField(max_length=12, choices=Level, blank=True)
    """The level that the learner has chosen for this conversation, whatever the answers say; empty for none."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("lesson")
        verbose_name_plural = _("lessons")
        indexes = [models.Index(fields=["learner", "concept"])]

    def __str__(self) -> str:
        return str(self.concept)
