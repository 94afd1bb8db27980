"""Admin pages for feedback, transitions, documents, analyses and drawings. None of them shows what was said."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from conversations.models import (
    EXCERPT_LENGTH,
    Analysis,
    Document,
    Feedback,
    Message,
    Session,
    Snapshot,
    Transition,
    Turn,
)
from conversations.round_table import admin_page as round_table_pages  # noqa: F401  # Registers its pages.
from conversations.round_table.names import PAYLOAD_KEY
from conversations.v1 import admin_page as v1_pages  # noqa: F401  # Registers its page.
from conversations.v1_storage import admin_page  # noqa: F401  # Registers its pages.


class HasWordsFilter(admin.SimpleListFilter):
    title = _("comment")
    parameter_name = "words"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("yes", str(_("with comment"))), ("no", str(_("without comment")))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Feedback]) -> QuerySet[Feedback]:
        match self.value():
            case "yes":
                return queryset.exclude(words="")
            case "no":
                return queryset.filter(words="")
        return queryset


class RoundTableFilter(admin.SimpleListFilter):
    title = _("round table")
    parameter_name = "table"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("yes", str(_("round tables")))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Turn]) -> QuerySet[Turn]:
        return queryset.filter(payload__has_key=PAYLOAD_KEY) if self.value() == "yes" else queryset


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Rows created in conversations, read-only here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ListAdmin(ReadOnlyAdmin):
    """A list without pages of single rows: their titles and words are the owner's own."""

    list_display_links = None
    show_full_result_count = False

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        raise Http404


@admin.register(Session)
class SessionAdmin(ListAdmin):
    list_display = ["owner", "created_at", "updated_at", "answered_by", "archived", "turn_count"]
    list_filter = ["answered_by", "archived"]
    list_select_related = ["owner"]
    search_fields = ["=owner__username"]
    search_help_text = _("Search by username")
    date_hierarchy = "updated_at"
    ordering = ["-updated_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        sessions: QuerySet[Session] = super().get_queryset(request).annotate(turn_count=Count("turns"))
        return sessions.defer("title", "state", "positions")

    @admin.display(description=_("turns"), ordering="turn_count")
    def turn_count(self, session: Any) -> int:
        count: int = session.turn_count
        return count


@admin.register(Turn)
class TurnAdmin(ListAdmin):
    list_display = ["created_at", "owner", "number", "kind", "status", "is_round_table", "attempt", "finished_at"]
    list_filter = ["status", "kind", RoundTableFilter]
    list_select_related = ["owner"]
    search_fields = ["=owner__username"]
    search_help_text = _("Search by username")
    date_hierarchy = "created_at"
    ordering = ["-created_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        return super().get_queryset(request).defer("answer", "analysis", "decision", "before")

    @admin.display(description=_("round table"), boolean=True)
    def is_round_table(self, turn: Turn) -> bool:
        return PAYLOAD_KEY in turn.payload


@admin.register(Transition)
class TransitionAdmin(ReadOnlyAdmin):
    """Which agent handed a learner to which: by agent, by routing method, and by words of the reason."""

    list_display = ["created_at", "from_agent", "to_agent", "strategy", "confidence", "reason", "message_excerpt"]
    list_filter = [
        ("to_agent", admin.AllValuesFieldListFilter), ("from_agent", admin.AllValuesFieldListFilter), "strategy",
    ]  # fmt: skip
    search_fields = ["=from_agent", "=to_agent", "reason", "=session__owner__username"]
    search_help_text = _("Search by agent name, words in the reason, or username")
    date_hierarchy = "created_at"
    show_full_result_count = False
    ordering = ["-pk"]
    fields = [
        "created_at", "session", "turn", "from_agent", "to_agent", "strategy", "confidence", "reason", "message_excerpt",
    ]  # fmt: skip


@admin.register(Feedback)
class FeedbackAdmin(ReadOnlyAdmin):
    """Feedback can only be changed by the person who gave it."""

    list_display = ["updated_at", "verdict", "excerpt", "person", "turn_status"]
    list_filter = ["verdict", HasWordsFilter, "updated_at", "turn__status"]
    list_select_related = ["person", "turn"]
    search_fields = ["words", "person__username"]
    date_hierarchy = "updated_at"
    ordering = ["-updated_at"]
    fields = ["verdict", "words", "person", "reply", "turn_status", "created_at", "updated_at"]
    readonly_fields = ["reply", "turn_status"]

    @admin.display(description=_("comment"))
    def excerpt(self, feedback: Feedback) -> str:
        return feedback.words[:EXCERPT_LENGTH]

    @admin.display(description=_("reply"))
    def reply(self, feedback: Feedback) -> str:
        said = Message.objects.filter(turn=feedback.turn_id, author=Message.Author.TEAM).first()
        return said.text if said else ""

    @admin.display(description=_("ended"))
    def turn_status(self, feedback: Feedback) -> str:
        return str(feedback.turn.get_status_display())


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    """Which documents people uploaded and whether they were read, without their contents."""

    list_display = ["created_at", "name", "owner", "media_type", "size", "status", "problem", "pages", "attempt"]
    list_filter = ["status", "media_type", "in_library"]
    list_select_related = ["owner"]
    search_fields = ["=owner__username"]
    search_help_text = _("Username")
    date_hierarchy = "created_at"
    show_full_result_count = False
    ordering = ["-created_at"]
    fields = [
        "name", "owner", "in_library", "media_type", "size", "status", "problem", "pages", "pages_read", "attempt",
        "lease_until", "created_at",
    ]  # fmt: skip


@admin.register(Analysis)
class AnalysisAdmin(ReadOnlyAdmin):
    """What side agents used, and why a model's result was rejected, without what they concluded about a person."""

    list_display = ["created_at", "agent", "status", "reason", "reused", "ms", "model", "input_tokens", "output_tokens"]
    list_filter = [
        ("agent", admin.AllValuesFieldListFilter),
        "status",
        "reused",
        ("model", admin.AllValuesFieldListFilter),
    ]
    search_fields = ["=agent", "reason", "=person__username"]
    search_help_text = _("Search by agent name, words in the reason, or username")
    date_hierarchy = "created_at"
    show_full_result_count = False
    ordering = ["-pk"]
    fields = [
        "created_at", "session", "turn", "snapshot", "person", "agent", "key", "status", "reason", "reused", "backend",
        "model", "ms", "input_tokens", "output_tokens", "cost_usd",
    ]  # fmt: skip


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """That somebody drew and whether it could be read, without the drawing."""

    list_display = ["created_at", "session", "was_spoken_of", "sure", "deleted_at"]
    list_filter = ["deleted_at", ("turn", admin.EmptyFieldListFilter)]
    list_select_related = ["session"]
    search_fields = ["=session__owner__username"]
    search_help_text = _("Username")
    date_hierarchy = "created_at"
    show_full_result_count = False
    ordering = ["-created_at"]
    fields = ["created_at", "session", "turn", "digest", "sure", "deleted_at"]
    readonly_fields = ["sure"]

    @admin.display(description=_("sent with a message"), boolean=True)
    def was_spoken_of(self, snapshot: Snapshot) -> bool:
        return snapshot.turn_id is not None

    @admin.display(description=_("confidence"))
    def sure(self, snapshot: Snapshot) -> str:
        return str(snapshot.reading.get("confidence", ""))
