"""Admin pages for alerts: read them, and mark them as settled if the model is no longer used."""

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.models import Alert

ALERT_COLUMNS = ("kind", "provider", "model", "message", "count", "first_at", "last_at", "settled_at")


@admin.register(Alert)
class AlertAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    list_display = ALERT_COLUMNS
    fields = readonly_fields = ALERT_COLUMNS
    list_filter = [("settled_at", admin.EmptyFieldListFilter), "kind"]
    ordering = [F("settled_at").desc(nulls_first=True), "-last_at"]
    actions = ["settle"]

    @admin.display(description=_("what to do"))
    def message(self, alert: Alert) -> str:
        return alert.message

    @admin.action(description=_("Mark as resolved"))
    def settle(self, request: HttpRequest, alerts: QuerySet[Alert]) -> None:
        alerts.filter(settled_at=None).update(settled_at=timezone.now())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Alert | None = None) -> bool:
        return False
