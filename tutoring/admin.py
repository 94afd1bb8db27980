"""What an admin sees of courses, questions, progress and classes. Records are read here, not written."""

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tutoring.models import (
    Attempt,
    Classroom,
    Concept,
    Course,
    Cycle,
    Lesson,
    Mastery,
    MasteryChange,
    Membership,
    MisconceptionState,
    Policy,
    Question,
    Reading,
    WrittenQuestion,
)
from tutoring.writing.orders import retire


class Record(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Rows that only the program writes."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(Course)
class CourseAdmin(Record):
    list_display = ["title", "slug", "version", "position"]
    exclude = ["content"]


@admin.register(Concept)
class ConceptAdmin(Record):
    list_display = ["title", "course", "position", "is_goal"]
    list_select_related = ["course"]


@admin.register(Question)
class QuestionAdmin(Record):
    list_display = ["stem", "learner", "concept", "template", "purpose", "status", "opened_at"]
    list_filter = ["purpose", "status", "kind"]
    list_select_related = ["learner", "concept"]
    search_fields = ["template", "learner__username"]


@admin.register(WrittenQuestion)
class WrittenQuestionAdmin(Record):
    """Questions that a model wrote: read, and taken out of use."""

    list_display = ["__str__", "concept", "status", "reason", "model", "tries", "created_at"]
    list_filter = ["status", "reason", "concept"]
    list_select_related = ["concept"]
    actions = ["take_out"]

    @admin.action(description=_("Take the chosen questions out of use"))
    def take_out(self, request: HttpRequest, questions: models.QuerySet[WrittenQuestion]) -> None:
        count = retire([question.pk for question in questions])
        message = ngettext("%(count)d question is no longer asked.", "%(count)d questions are no longer asked.", count)
        self.message_user(request, message % {"count": count})


@admin.register(Attempt)
class AttemptAdmin(Record):
    list_display = ["question", "learner", "answer", "verdict", "assisted", "created_at"]
    list_filter = ["verdict", "assisted"]
    list_select_related = ["question", "learner"]


@admin.register(Mastery)
class MasteryAdmin(Record):
    list_display = ["learner", "concept", "probability", "answers", "unassisted", "mastered_at"]
    list_select_related = ["learner", "concept"]


@admin.register(MasteryChange)
class MasteryChangeAdmin(Record):
    list_display = ["attempt", "before", "difficulty", "surprise", "after"]
    list_select_related = ["attempt"]


@admin.register(MisconceptionState)
class MisconceptionStateAdmin(Record):
    list_display = ["learner", "course", "misconception", "status", "odds", "updated_at"]
    list_filter = ["status"]
    list_select_related = ["learner", "course"]


@admin.register(Cycle)
class CycleAdmin(Record):
    list_display = ["learner", "concept", "number", "quiz_score", "mastery_achieved", "started_at", "completed_at"]
    list_select_related = ["learner", "concept"]


@admin.register(Lesson)
class LessonAdmin(Record):
    list_display = ["learner", "concept", "level", "created_at"]
    list_select_related = ["learner", "concept"]


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    model = Membership
    extra = 0


class PolicyInline(admin.StackedInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    model = Policy
    can_delete = False


@admin.register(Classroom)
class ClassroomAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """A class, its people and its policy, changed in one place."""

    list_display = ["name", "code"]
    search_fields = ["name", "code"]
    inlines = [PolicyInline, MembershipInline]


@admin.register(Reading)
class ReadingAdmin(Record):
    """Which teacher opened whose conversation."""

    list_display = ["created_at", "reader", "learner", "session", "classroom"]
    list_select_related = ["reader", "learner", "session", "classroom"]
    date_hierarchy = "created_at"
