"""What is kept of what a person learns, and of the classes they are in."""

from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from agents.personal_data import Part, Subject, owned
from tutoring.models import (
    Ability,
    Attempt,
    Classroom,
    Concern,
    Cycle,
    DiagnosticResult,
    ExampleShown,
    Goal,
    KnowledgeGap,
    Lesson,
    Mastery,
    MasteryChange,
    Membership,
    MisconceptionState,
    Path,
    Question,
    Reading,
    Review,
    Telling,
)

TITLE = _("What you learn")
PARTS = (
    Part(
        name="lessons",
        title=_("Lessons"),
        why=_("So that a conversation knows what it is about."),
        of=owned(Lesson, "learner_id"),
        fields=("session__key", "concept__course__slug", "concept__slug", "level", "own_level", "created_at"),
    ),
    Part(
        name="cycles",
        title=_("Rounds of explaining and asking"),
        why=_("So that the tutor explains anew what a round did not bring."),
        of=owned(Cycle, "learner_id"),
        fields=(
            "session__key", "concept__slug", "number", "quiz_score", "mastery_achieved", "started_at", "completed_at",
        ),
    ),
    Part(
        name="examples",
        title=_("Examples you were shown"),
        why=_("So that none of them comes a second time."),
        of=owned(ExampleShown, "learner_id"),
        fields=("concept__course__slug", "concept__slug", "example", "shown_at"),
    ),
    # Without its key: a copy must not answer what is still open.
    Part(
        name="questions",
        title=_("Questions you were asked"),
        why=_("So that each is asked once, and its answers can be shown as evidence."),
        of=owned(Question, "learner_id", order=("opened_at", "pk")),
        fields=(
            "id", "session__key", "concept__slug", "template", "kind", "stem", "purpose", "status", "hints_used",
            "source_context", "opened_at", "shown_at", "graded_at", "closed_at",
        ),
    ),
    Part(
        name="answers",
        title=_("Your answers"),
        why=_("They are the evidence that your progress rests on."),
        of=owned(Attempt, "learner_id"),
        fields=(
            "question_id", "number", "answer", "gave_up", "verdict", "score", "correct", "assisted", "time_taken_s",
            "misconceptions", "created_at",
        ),
    ),
    Part(
        name="mastery",
        title=_("How well you know each idea"),
        why=_("So that you are asked what you are ready for."),
        of=owned(Mastery, "learner_id"),
        fields=(
            "concept__course__slug", "concept__slug", "probability", "placed", "answers", "unassisted", "templates", "last_at",
            "mastered_at",
        ),
    ),
    Part(
        name="mastery_changes",
        title=_("What each answer changed"),
        why=_("So that every number can be explained."),
        of=owned(MasteryChange, "mastery__learner_id"),
        fields=(
            "attempt__question_id", "attempt__number", "before", "difficulty", "surprise", "after", "predicted",
        ),
    ),
    Part(
        name="misconceptions",
        title=_("Ideas that may stand in your way"),
        why=_("So that the tutor can meet them, and stops when they are gone."),
        of=owned(MisconceptionState, "learner_id"),
        fields=("course__slug", "misconception", "odds", "status", "evidence", "updated_at"),
    ),
    Part(
        name="ability",
        title=_("How you do over all ideas"),
        why=_("So that the first question on a new idea is neither too easy nor too hard."),
        of=owned(Ability, "learner_id"),
        fields=("residual", "answers"),
    ),
    Part(
        name="goals",
        title=_("What you want to learn"),
        why=_("So that the path leads there."),
        of=owned(Goal, "learner_id"),
        fields=("concept__course__slug", "concept__slug", "words", "created_at", "reached_at", "dropped_at"),
    ),
    Part(
        name="paths",
        title=_("What you changed of your path"),
        why=_("So that it stays as you want it."),
        of=owned(Path, "learner_id"),
        fields=("course__slug", "first", "set_aside", "updated_at"),
    ),
    Part(
        name="diagnostics",
        title=_("Where you were placed"),
        why=_("So that you begin where it helps."),
        of=owned(DiagnosticResult, "learner_id"),
        fields=(
            "session__key", "topic__slug", "prerequisite_gaps", "learner_level", "recommendations", "questions", "ended",
            "created_at",
        ),
    ),
    Part(
        name="knowledge_gaps",
        title=_("What was seen to be missing"),
        why=_("So that it comes before what rests on it."),
        of=owned(KnowledgeGap, "learner_id"),
        fields=("concept__slug", "source", "words", "current", "required", "opened_at", "resolved_at"),
    ),
    Part(
        name="reviews",
        title=_("When ideas come back for review"),
        why=_("So that they are met again before they fade."),
        of=owned(Review, "learner_id"),
        fields=("concept__slug", "card", "due_at", "reviewed_at", "times"),
    ),
    Part(
        name="classes",
        title=_("Classes you are in"),
        why=_("So that your teacher sees what the class has agreed on, and no more."),
        of=owned(Membership, "person_id"),
        fields=("classroom__code", "classroom__name", "role", "joined_at"),
    ),
    Part(
        name="concerns",
        title=_("When something you wrote sounded as if you might need help"),
        why=_("So that you are told whom to turn to, and your class’s teachers, where that is agreed. Your words are not in it."),
        of=owned(Concern, "learner_id"),
        fields=("created_at", "kind", "is_sure", "session__key", "turn"),
    ),
    Part(
        name="concerns_told",
        title=_("Which class was told of it"),
        why=_("So that you know who was told, and whether somebody has looked."),
        of=owned(Telling, "concern__learner_id"),
        fields=("concern__created_at", "classroom__name", "seen_by__username", "seen_at"),
    ),
    Part(
        name="concerns_seen_by_you",
        title=_("When you saw that a learner may need you"),
        why=_("So that the others who teach the class know that somebody has."),
        of=owned(Telling, "seen_by_id"),
        fields=("seen_at", "classroom__name"),
        of_staff=True,
    ),
    Part(
        name="readings",
        title=_("When a teacher read a conversation of yours"),
        why=_("So that you know."),
        of=owned(Reading, "learner_id"),
        fields=("created_at", "session__key", "classroom__name", "reader__username"),
    ),
    Part(
        name="readings_by_you",
        title=_("When you read a learner’s conversation"),
        why=_("So that the learner knows."),
        of=owned(Reading, "reader_id"),
        fields=("created_at", "classroom__name"),
        of_staff=True,
    ),
)  # fmt: skip
LEFT_OUT: dict[type, object] = {}
STAYS = {
    Reading: _("when a learner’s conversation was read, without the teacher who did"),
    Telling: _("that a class was told of a concern, and when somebody saw it, without who did"),
}


def erase(person: Subject) -> None:
    """Delete the classes that nobody else is in; of the others the person's place goes by itself."""
    own = Classroom.objects.filter(memberships__person_id=person.pk).values("pk")
    Classroom.objects.filter(pk__in=own).annotate(people=Count("memberships")).filter(people=1).delete()
