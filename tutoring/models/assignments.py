"""What teachers give a class to do, each pupil's work on it, and quizzes taken together."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import Exercise
from tutoring.models.classes import ClassGroup, Classroom, Membership
from tutoring.models.courses import SLUG_MAX_LENGTH, Concept, Course

TITLE_MAX_LENGTH = 120
NOTE_MAX_LENGTH = 1000
USUAL_QUESTIONS, MAX_QUESTIONS = 5, 30


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def with_targets(self) -> "AssignmentQuerySet":
        """With what they ask for and the class's agreement, in a fixed number of queries."""
        rows = self.select_related("classroom__policy", "course", "document").defer("course__content")
        return rows.prefetch_related("concepts", "items", "groups__members", "people")


class Assignment(models.Model):
    """Something that a class, groups or single pupils are to do between two moments."""

    class Kind(models.TextChoices):
        CONCEPT = "concept", _("Topics")
        QUIZ = "quiz", _("Quiz")
        READING = "reading", _("Reading")
        PATH = "path", _("Path to a goal")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=TITLE_MAX_LENGTH)
    kind = models.CharField(max_length=10, choices=Kind)
    course = models.ForeignKey(Course, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """Empty for a reading."""
    concepts = models.ManyToManyField(Concept, related_name="+", blank=True)
    """The topics to master, those a quiz asks about, or the one goal of a path."""
    questions = models.PositiveSmallIntegerField(
        default=USUAL_QUESTIONS, validators=[MinValueValidator(1), MaxValueValidator(MAX_QUESTIONS)]
    )
    """The number of questions of a quiz."""
    seed = models.PositiveIntegerField(default=0)
    """What a quiz's questions are drawn with: the same seed draws the same questions."""
    document = models.ForeignKey(
        "conversations.Document", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    article = models.SlugField(max_length=SLUG_MAX_LENGTH, blank=True)
    goal_number = models.PositiveSmallIntegerField(null=True, blank=True)
    """Of topics, the answers to give; of a quiz, the percentage to reach. None: master the topics, finish the quiz."""
    is_for_all = models.BooleanField(default=True)
    groups = models.ManyToManyField(ClassGroup, related_name="assignments", blank=True)
    people = models.ManyToManyField(Membership, related_name="assignments", blank=True)
    starts_at = models.DateTimeField()
    due_at = models.DateTimeField()
    note = models.TextField(max_length=NOTE_MAX_LENGTH, blank=True)
    """What the teacher writes to the pupils."""
    is_live = models.BooleanField(default=False)
    """Whether a quiz is taken together, led by a teacher."""
    gives_hints = models.BooleanField(default=False)
    explains_at_once = models.BooleanField(default=False)
    """Whether a pupil sees after each question whether it was right; otherwise at the end of the quiz."""
    is_evidence = models.BooleanField(default=True)
    """Whether the answers of a quiz count toward mastery."""
    tells_done = models.BooleanField(default=False)
    """Whether teachers see who is done where the agreement hides progress; pupils read this before they start."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager["Assignment"]] = AssignmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        ordering = ["due_at", "pk"]
        indexes = [models.Index(fields=["classroom", "due_at"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(due_at__gt=models.F("starts_at")), name="an_assignment_is_due_after_its_start"
            )
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """Return its page for pupils."""
        return reverse("assignment", args=[self.pk])

    @property
    def teacher_url(self) -> str:
        return reverse("class-assignment", args=[self.classroom.code, self.pk])

    @property
    def is_quiz(self) -> bool:
        return self.kind == self.Kind.QUIZ


class QuizItem(models.Model):
    """One question of an assigned quiz, the same for every pupil. It stays as it was drawn when the course changes."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveSmallIntegerField()
    """From 1."""
    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="+")
    template = models.CharField(max_length=120)
    seed = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    stem = models.TextField()
    public = models.JSONField()
    key = models.JSONField()
    source_context = models.TextField(blank=True, default="")

    class Meta:
        verbose_name = _("quiz item")
        verbose_name_plural = _("quiz items")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["assignment", "number"], name="quiz_items_are_numbered")]

    def __str__(self) -> str:
        return self.stem[:100]

    def exercise(self) -> Exercise:
        """Return the exercise, with its key."""
        return serialization.exercise_from_json(
            template=self.template,
            seed=self.seed,
            concept=self.concept.slug,
            kind=self.kind,
            stem=self.stem,
            public=self.public,
            secret=self.key,
        )


class AssignmentWork(models.Model):
    """What a pupil has done about an assignment, beside what their answers show."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="works")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignment_works")
    started_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)
    """When the pupil said that they had read what they opened before."""
    handed_in_at = models.DateTimeField(null=True, blank=True)
    """When the last question of a quiz was answered, or the quiz taken together ended."""
    try_number = models.PositiveSmallIntegerField(default=1)
    """From 1; a teacher can give another try at a quiz, with other questions. The best result counts."""
    reminded_at = models.DateTimeField(null=True, blank=True)
    reminder_seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("assignment work")
        verbose_name_plural = _("assignment works")
        constraints = [models.UniqueConstraint(fields=["assignment", "learner"], name="one_work_a_pupil")]
        indexes = [models.Index(fields=["learner", "-reminded_at"])]

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.assignment}"


class WorkQuestion(models.Model):
    """A pupil's question of an assigned quiz."""

    work = models.ForeignKey(AssignmentWork, on_delete=models.CASCADE, related_name="asked")
    item = models.ForeignKey(QuizItem, on_delete=models.CASCADE, related_name="asked")
    question = models.OneToOneField("tutoring.Question", on_delete=models.CASCADE, related_name="assigned")
    try_number = models.PositiveSmallIntegerField(default=1)
    """Of which try at the quiz it is."""

    class Meta:
        verbose_name = _("question of an assignment")
        verbose_name_plural = _("questions of assignments")
        constraints = [
            models.UniqueConstraint(fields=["work", "item", "try_number"], name="an_item_is_asked_once_a_try")
        ]

    def __str__(self) -> str:
        return f"{self.work_id}: {self.item_id}"


class LiveQuiz(models.Model):
    """A quiz taken together: which question is asked, and whether it still takes answers."""

    class Phase(models.TextChoices):
        WAITING = "waiting", _("waiting for pupils")
        ASKING = "asking", _("question open")
        SHOWN = "shown", _("answer shown")
        OVER = "over", _("over")

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="live")
    phase = models.CharField(max_length=8, choices=Phase, default=Phase.WAITING)
    number = models.PositiveSmallIntegerField(default=0)
    """The number of the item that is asked or shown; 0 while waiting."""
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("live quiz")
        verbose_name_plural = _("live quizzes")

    def __str__(self) -> str:
        return f"{self.assignment}: {self.mark}"

    @property
    def mark(self) -> str:
        """Return what changes with each step, for pages that poll and for teachers who move on at the same time."""
        return f"{self.phase}-{self.number}"
