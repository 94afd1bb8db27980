"""Questions that a learner was asked, and every attempt at them."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.people import Person
from agents.storage.time_ordered_ids import new_time_ordered_id
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.construction_texts import construction_text
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import LinesKey, MatchKey, OrderKey, key_from_json
from tutoring.grading.boards import Board, board_from_json
from tutoring.grading.judges.arrangements import arrangement_text
from tutoring.grading.judges.code_lines import arranged_program
from tutoring.grading.programs.answer_text import code_block, code_in
from tutoring.grading.verdicts import Judgement, Verdict, failure_from_json
from tutoring.models.courses import Concept

KEY_MAX_LENGTH = 64

type Life = Literal["registered", "shown", "answered", "graded", "abandoned"]


class QuestionQuerySet(models.QuerySet["Question"]):
    def owned_by(self, person: Person) -> "QuestionQuerySet":
        """The person's own, without those of a conversation they deleted."""
        return self.filter(learner_id=person.pk, session__deleted_at=None)

    def open(self) -> "QuestionQuerySet":
        return self.filter(status=Question.Status.OPEN)

    def with_course(self) -> "QuestionQuerySet":
        """With concept and course in the same query, but not the course's content."""
        return self.select_related("concept__course").defer("concept__course__content")

    def latest_first(self) -> "QuestionQuerySet":
        """In the order they were asked, by turn: a clock may be set back."""
        return self.order_by(models.F("turn__number").desc(nulls_last=True), "-number")


class Question(models.Model):
    """A question as it was asked. It is stored unchanged, so a new version of the course does not affect it."""

    class Purpose(models.TextChoices):
        PRACTICE = "practice", _("practice")
        QUIZ = "quiz", _("quiz")
        PLACEMENT = "placement", _("placement")
        REVIEW = "review", _("review")

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        ANSWERED = "answered", _("answered")
        ABANDONED = "abandoned", _("abandoned")

    id = models.UUIDField(primary_key=True, default=new_time_ordered_id, editable=False)
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="questions")
    session = models.ForeignKey(
        "conversations.Session", on_delete=models.CASCADE, null=True, blank=True, related_name="questions"
    )
    """Empty for a review, which is outside of any conversation."""
    turn = models.ForeignKey(
        "conversations.Turn", on_delete=models.SET_NULL, null=True, blank=True, related_name="questions"
    )
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="questions")
    template = models.CharField(max_length=120)
    seed = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    stem = models.TextField()
    public = models.JSONField()
    """What the page may show at once: `{picture, board, choices: [{letter, text, picture}], rows: the same, total, from_before, checks_claim, assigned, is_evidence}`."""
    key = models.JSONField()
    """What never leaves the server while the question is open: the answer, hints, solution, expected mistakes."""
    source_context = models.TextField(blank=True, default="")
    """The course material it was made from, as it was then."""
    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.PRACTICE)
    number = models.PositiveSmallIntegerField(default=1)
    cycle = models.ForeignKey(
        "tutoring.Cycle", on_delete=models.SET_NULL, null=True, blank=True, related_name="questions"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    hints_used = models.PositiveSmallIntegerField(default=0)
    hinted_at_attempt = models.PositiveSmallIntegerField(default=0)
    """How many attempts there were when the last hint was taken: the next hint needs a new attempt."""
    opened_at = models.DateTimeField(auto_now_add=True)
    shown_at = models.DateTimeField(null=True, blank=True)
    """When a page first showed it to its learner, or at the latest when a program answered it."""
    graded_at = models.DateTimeField(null=True, blank=True)
    """When an answer to it was graded last; not every answer ends it."""
    closed_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager["Question"]] = QuestionQuerySet.as_manager()

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        indexes = [
            models.Index(fields=["session", "status"]),
            models.Index(fields=["learner", "concept", "-opened_at"]),
            models.Index(
                fields=["learner", "opened_at"], condition=models.Q(purpose="placement"), name="placement_questions"
            ),
        ]

    def __str__(self) -> str:
        return self.stem[:100]

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_assigned(self) -> bool:
        """Whether it belongs to a quiz that a teacher assigned: it is answered on that quiz's pages only."""
        return bool(self.public.get("assigned", False))

    @property
    def is_evidence(self) -> bool:
        """Whether an answer to it says something about what its learner knows."""
        return bool(self.public.get("is_evidence", True))

    @property
    def life(self) -> Life:
        """Its state, one of those below. `answered`: graded, and open for another try."""
        match self.status:
            case self.Status.ABANDONED:
                return "abandoned"
            case self.Status.ANSWERED:
                return "graded"
        if self.graded_at is not None:
            return "answered"
        return "registered" if self.shown_at is None else "shown"

    def instance(self) -> Exercise:
        """Return the exercise as it was when the question was asked, with its key."""
        return serialization.exercise_from_json(
            template=self.template,
            seed=self.seed,
            concept=self.concept.slug,
            kind=self.kind,
            stem=self.stem,
            public=self.public,
            secret=self.key,
        )

    def shown(self, answer: str) -> str:
        """Return an answer as readable text: the pieces of an arrangement, what a construction shows, the program in it."""
        if board := self.board:
            return construction_text(board, answer)
        if self.kind not in ("order", "match", "code", "lines", "trace"):
            return answer
        match key_from_json(self.key["answer"]):
            case OrderKey() | MatchKey() as key:
                return arrangement_text(key, answer)
            case LinesKey() as key:
                return arranged_program(key, answer)
            case _:
                return code_in(answer)

    def shown_as_markdown(self, answer: str) -> str:
        """Return an answer as `shown`, with a program as a block of code."""
        shown = self.shown(answer)
        if self.kind in ("code", "lines"):
            return code_block(shown)
        return code_block(shown, language="") if self.kind == "trace" and "\n" in shown else shown

    @property
    def board(self) -> Board | None:
        """The board on which it is answered; None for other kinds."""
        shown = self.public.get("board")
        return board_from_json(shown) if shown else None


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def in_order(self) -> "AttemptQuerySet":
        """By number, with what the learner said against each."""
        return self.select_related("contest").order_by("number")


class Attempt(models.Model):
    """One answer to a question, with its grade. An answer that could not be read does not count."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="attempts")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts")
    answer = models.TextField(blank=True)
    gave_up = models.BooleanField(default=False)
    """Whether the learner said "I don't know"; `answer` is empty then."""
    verdict = models.CharField(max_length=30)
    score = models.FloatField()
    """0 to 1."""
    correct = models.BooleanField()
    assisted = models.BooleanField()
    """Whether it is a retry, or after the second hint: no evidence of what the learner knows without help."""
    number = models.PositiveSmallIntegerField()
    idempotency_key = models.CharField(max_length=KEY_MAX_LENGTH)
    time_taken_s = models.FloatField(null=True, blank=True)
    """Seconds; unknown is null."""
    judgement = models.JSONField(default=dict, blank=True)
    """The grader's details beside the verdict: `{missing, chosen, reason, failure}`."""
    misconceptions = models.JSONField(default=list, blank=True)
    """Ids of the misconceptions that would have given this very answer."""
    left_out = models.BooleanField(default=False)
    """Whether a teacher decided that it does not count, or it was graded wrong and was right."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[models.Manager["Attempt"]] = AttemptQuerySet.as_manager()

    if TYPE_CHECKING:
        # Django's reverse one-to-one raises if there is none.
        change: Any
        contest: Any

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        constraints = [
            models.UniqueConstraint(fields=["question", "idempotency_key"], name="a_resent_answer_is_one_attempt"),
            models.UniqueConstraint(fields=["question", "number"], name="attempts_are_numbered_in_a_question"),
        ]
        indexes = [models.Index(fields=["learner", "-created_at"])]

    def __str__(self) -> str:
        return f"{self.answer[:60]} ({self.verdict})"

    @property
    def is_in_words(self) -> bool:
        """Whether a choice was answered in the learner's own words. The attempt comes with its question."""
        return self.question.kind in ("choice", "multi") and not self.judgement.get("chosen") and not self.gave_up

    def as_judgement(self) -> Judgement:
        """Return the grader's verdict as it was given."""
        return Judgement(
            verdict=cast("Verdict", self.verdict),
            score=self.score,
            missing=tuple(self.judgement["missing"]),
            chosen=tuple(self.judgement["chosen"]),
            reason=self.judgement["reason"],
            failure=failure_from_json(self.judgement),
        )
