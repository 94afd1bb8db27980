"""Admin pages of courses, questions, progress and classes. Records are read-only here."""

from dataclasses import asdict

from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tutoring.mastery.knowledge_tracing import SkillParameters
from tutoring.mastery.records import parameter_refits
from tutoring.models import (
    AccessLog,
    Attempt,
    Classroom,
    Concept,
    Concern,
    ConcernNotice,
    Contest,
    Course,
    Cycle,
    DiagnosticResult,
    Goal,
    GradeChange,
    KnowledgeGap,
    LearningRecord,
    Lesson,
    Mastery,
    MasteryChange,
    Membership,
    MisconceptionState,
    Parameters,
    Policy,
    Question,
    QuestionReport,
    WebhookDelivery,
    WithdrawnQuestion,
    WrittenQuestion,
)
from tutoring.question_writing.orders import retire_questions


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Rows that only the program writes."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(Course)
class CourseAdmin(ReadOnlyAdmin):
    list_display = ["title", "slug", "version", "position", "is_public"]
    exclude = ["content"]


@admin.register(Concept)
class ConceptAdmin(ReadOnlyAdmin):
    list_display = ["title", "course", "position", "is_goal"]
    list_select_related = ["course"]


@admin.register(Question)
class QuestionAdmin(ReadOnlyAdmin):
    list_display = ["stem", "learner", "concept", "template", "purpose", "life", "opened_at"]
    list_filter = ["purpose", "status", "kind"]
    list_select_related = ["learner", "concept"]
    search_fields = ["template", "learner__username"]


@admin.register(WrittenQuestion)
class WrittenQuestionAdmin(ReadOnlyAdmin):
    """Questions that a model wrote: read, and retired."""

    list_display = ["__str__", "concept", "status", "reason", "model", "tries", "created_at"]
    list_filter = ["status", "reason", "concept"]
    list_select_related = ["concept"]
    actions = ["take_out"]

    @admin.action(description=_("Retire the selected questions"))
    def take_out(self, request: HttpRequest, questions: models.QuerySet[WrittenQuestion]) -> None:
        count = retire_questions([question.pk for question in questions])
        message = ngettext(
            "%(count)d question will no longer be asked.", "%(count)d questions will no longer be asked.", count
        )
        self.message_user(request, message % {"count": count})


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    list_display = ["question", "learner", "answer", "verdict", "assisted", "created_at"]
    list_filter = ["verdict", "assisted"]
    list_select_related = ["question", "learner"]


@admin.register(Mastery)
class MasteryAdmin(ReadOnlyAdmin):
    list_display = ["learner", "concept", "probability", "answers", "unassisted", "mastered_at"]
    list_select_related = ["learner", "concept"]


@admin.register(MasteryChange)
class MasteryChangeAdmin(ReadOnlyAdmin):
    list_display = ["attempt", "before", "difficulty", "surprise", "after"]
    list_select_related = ["attempt"]


@admin.register(Contest)
class ContestAdmin(ReadOnlyAdmin):
    """What learners said is wrong, and who decided what about it."""

    list_display = [
        "learner",
        "concept",
        "about",
        "attempt",
        "created_at",
        "decision",
        "recounted",
        "decided_by",
        "decided_at",
    ]
    list_filter = ["decision"]
    list_select_related = ["learner", "concept", "attempt", "decided_by"]


@admin.register(MisconceptionState)
class MisconceptionStateAdmin(ReadOnlyAdmin):
    list_display = ["learner", "course", "misconception", "status", "odds", "updated_at"]
    list_filter = ["status"]
    list_select_related = ["learner", "course"]


@admin.register(Cycle)
class CycleAdmin(ReadOnlyAdmin):
    list_display = ["learner", "concept", "number", "quiz_score", "mastery_achieved", "started_at", "completed_at"]
    list_select_related = ["learner", "concept"]


@admin.register(Goal)
class GoalAdmin(ReadOnlyAdmin):
    list_display = ["learner", "concept", "words", "created_at", "reached_at", "dropped_at"]
    list_filter = [
        ("reached_at", admin.EmptyFieldListFilter), ("dropped_at", admin.EmptyFieldListFilter), "concept__course",
    ]  # fmt: skip
    list_select_related = ["learner", "concept"]
    search_fields = ["learner__username", "concept__slug"]


@admin.register(DiagnosticResult)
class DiagnosticResultAdmin(ReadOnlyAdmin):
    list_display = ["learner", "topic", "learner_level", "questions", "ended", "created_at"]
    list_filter = ["ended", "learner_level", "topic__course"]
    list_select_related = ["learner", "topic"]
    search_fields = ["learner__username", "topic__slug"]


@admin.register(KnowledgeGap)
class KnowledgeGapAdmin(ReadOnlyAdmin):
    list_display = ["learner", "concept", "source", "words", "current", "required", "opened_at", "resolved_at"]
    list_filter = ["source", ("resolved_at", admin.EmptyFieldListFilter), "concept__course"]
    list_select_related = ["learner", "concept"]
    search_fields = ["learner__username", "concept__slug"]


@admin.register(Lesson)
class LessonAdmin(ReadOnlyAdmin):
    list_display = ["learner", "concept", "level", "created_at"]
    list_select_related = ["learner", "concept"]


@admin.register(Parameters)
class ParametersAdmin(ReadOnlyAdmin):
    """What the nightly refits found, and whether it is used."""

    list_display = [
        "__str__", "is_in_force", "accepted", "saved", "worst_calibrated", "answers", "learners", "created_at",
    ]  # fmt: skip
    list_filter = ["course", "accepted"]
    list_select_related = ["course"]
    fields = [
        "course", "version", "is_in_force", "accepted", "log_loss", "saved", "worst_calibrated", "answers", "learners",
        "created_at", "concepts",
    ]  # fmt: skip
    readonly_fields = ["is_in_force", "log_loss", "saved", "worst_calibrated", "created_at", "concepts"]
    actions = ["use", "use_priors", "leave_to_refits"]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Parameters]:
        return super().get_queryset(request).defer("course__content")

    @admin.display(description=_("active"), boolean=True)
    def is_in_force(self, row: Parameters) -> bool:
        return row.course.parameters_id == row.pk

    @admin.display(description=_("log loss per answer"))
    def log_loss(self, row: Parameters) -> str:
        return f"{row.loss_before:.4f} → {row.loss_after:.4f}"

    @admin.display(description=_("reduction in log loss"))
    def saved(self, row: Parameters) -> str:
        return f"{row.gain:+.1%}"

    @admin.display(description=_("worst change in calibration error"))
    def worst_calibrated(self, row: Parameters) -> str:
        return f"{row.worst_calibration:+.3f}"

    @admin.display(description=_("concepts"))
    def concepts(self, row: Parameters) -> str:
        lines = ((slug, _line(skill)) for slug, skill in sorted(row.skills().items()))
        return format_html_join("", "<p><strong>{}</strong><br>{}</p>", lines)

    @admin.action(description=_("Use the selected refitted model, and keep using it"))
    def use(self, request: HttpRequest, rows: models.QuerySet[Parameters]) -> None:
        chosen = list(rows.select_related("course"))
        if len({row.course_id for row in chosen}) < len(chosen):
            self.message_user(
                request, _("Choose only one refitted model per course, because only one can be in use."), messages.ERROR
            )
        elif not all(row.accepted for row in chosen):
            refused = _(
                "You can’t use a refitted model that was not accepted: it predicts no better than the one in use."
            )
            self.message_user(request, refused, messages.ERROR)
        else:
            for row in chosen:
                parameter_refits.put_in_force(row)
            words = ngettext(
                "%(count)d refitted model is in use.", "%(count)d refitted models are in use.", len(chosen)
            )
            self.message_user(request, words % {"count": len(chosen)})

    @admin.action(description=_("Go back to the original model for these courses, and keep using it"))
    def use_priors(self, request: HttpRequest, rows: models.QuerySet[Parameters]) -> None:
        parameter_refits.use_priors(_courses(rows))
        self.message_user(request, _("The original model is in use again."))

    @admin.action(description=_("Use the next accepted refitted model for the selected models’ courses"))
    def leave_to_refits(self, request: HttpRequest, rows: models.QuerySet[Parameters]) -> None:
        parameter_refits.leave_to_refits(_courses(rows))
        self.message_user(request, _("The next accepted refitted model will be used automatically."))


def _courses(rows: models.QuerySet[Parameters]) -> list[int]:
    return list(rows.order_by().values_list("course_id", flat=True).distinct())


def _line(skill: SkillParameters) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in asdict(skill).items())


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    model = Membership
    extra = 0


class PolicyInline(admin.StackedInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    model = Policy
    can_delete = False


@admin.register(Classroom)
class ClassroomAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """A class, its people and its policy, edited on one page."""

    list_display = ["name", "code"]
    search_fields = ["name", "code"]
    inlines = [PolicyInline, MembershipInline]


@admin.register(AccessLog)
class AccessLogAdmin(ReadOnlyAdmin):
    """Who looked at what of a learner's."""

    list_display = ["created_at", "reader", "learner", "kind", "session", "classroom"]
    list_filter = ["kind"]
    list_select_related = ["reader", "learner", "session", "classroom"]
    date_hierarchy = "created_at"


class ConcernNoticeInline(admin.TabularInline):  # type: ignore[type-arg]  # As above.
    model = ConcernNotice
    extra = 0


@admin.register(Concern)
class ConcernAdmin(ReadOnlyAdmin):
    """That somebody may need help, and who was told: never what was written."""

    list_display = ["created_at", "learner", "kind", "classes"]
    list_filter = ["kind"]
    list_select_related = ["learner"]
    exclude = ["session", "turn"]
    inlines = [ConcernNoticeInline]
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Concern]:
        return super().get_queryset(request).prefetch_related("tellings__classroom")

    @admin.display(description=_("classes notified"))
    def classes(self, row: Concern) -> str:
        return ", ".join(str(each.classroom) for each in row.tellings.all())


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    """The log of what was sent to the workflow server."""

    list_display = ["created_at", "kind", "owner", "status", "tries", "answer", "next_at", "sent_at"]
    list_filter = ["status", "kind"]
    list_select_related = ["owner"]
    # What a message says is the person's own: the log shows only that there was one.
    exclude = ["body"]


@admin.register(QuestionReport)
class QuestionReportAdmin(ReadOnlyAdmin):
    """What teachers reported about questions: read, and marked as handled."""

    list_display = ["template", "course", "words", "by", "created_at", "handled_at"]
    list_filter = [("handled_at", admin.EmptyFieldListFilter), "course"]
    list_select_related = ["course", "by"]
    search_fields = ["template", "words"]
    actions = ["mark_handled"]

    @admin.action(description=_("Mark as handled"))
    def mark_handled(self, request: HttpRequest, reports: models.QuerySet[QuestionReport]) -> None:
        count = reports.filter(handled_at=None).update(handled_at=timezone.now())
        said = ngettext("%(count)d report is marked as handled.", "%(count)d reports are marked as handled.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)


@admin.register(WithdrawnQuestion)
class WithdrawnQuestionAdmin(ReadOnlyAdmin):
    list_display = ["template", "course", "classroom", "by", "created_at", "restored_at"]
    list_select_related = ["course", "classroom", "by"]


@admin.register(GradeChange)
class GradeChangeAdmin(ReadOnlyAdmin):
    list_display = ["attempt", "kind", "by", "created_at", "undone_by", "undone_at"]
    list_select_related = ["attempt", "by", "undone_by"]


@admin.register(LearningRecord)
class LearningRecordAdmin(ReadOnlyAdmin):
    """What is sent to the record store, and why something was refused."""

    list_display = ["created_at", "verb", "status", "tries", "answer", "next_at", "sent_at"]
    list_filter = ["status", "verb"]
    ordering = ["-created_at"]
    fields = ["verb", "statement", "status", "tries", "answer", "next_at", "created_at", "sent_at"]
