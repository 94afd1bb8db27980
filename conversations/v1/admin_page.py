"""Admin page on which the end of the v1 API is announced."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conversations.models import V1Deprecation
from conversations.v1.deprecation import (
    MONTHS_TO_SUNSET,
    DeprecationConflict,
    announce_deprecation,
    deprecation_headers,
    latest_deprecation,
    months_after,
)

CHANGES_SHOWN = 20
MAX_ID = 2**63 - 1


class DeprecationForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    seen = forms.IntegerField(required=False, min_value=1, max_value=MAX_ID, widget=forms.HiddenInput)
    """The id of the announcement that the page showed."""

    class Meta:
        model = V1Deprecation
        fields = ["since", "sunset"]
        # Browsers send this form of a date whatever the language.
        widgets = {name: forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d") for name in ("since", "sunset")}


@admin.register(V1Deprecation)
class V1DeprecationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """One page: the form, the headers, and the record of changes, which nobody can change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        """Return only our own page."""
        page = self.admin_site.admin_view(require_http_methods(["GET", "HEAD", "POST"])(self.page))
        return [path("", page, name="conversations_v1deprecation_changelist")]

    def page(self, request: HttpRequest) -> HttpResponse:
        """Show the form; save it, or with `preview` show the headers that it means without saving."""
        latest = latest_deprecation()
        if request.method != "POST":
            seen = latest.pk if latest else None
            return self._shown(request, DeprecationForm(instance=latest, initial={"seen": seen}), latest=latest)
        form = DeprecationForm(request.POST)
        if not form.is_valid():
            return self._shown(request, form, latest=latest, status=422)
        since, sunset, seen = (form.cleaned_data[name] for name in ("since", "sunset", "seen"))
        if "preview" in request.POST:
            return self._shown(request, form, latest=latest, preview=deprecation_headers(since, sunset))
        try:
            announce_deprecation(since=since, sunset=sunset, by=request.user, seen=seen)
        except DeprecationConflict:
            form.add_error(
                None,
                _("Someone else changed these dates in the meantime. Reload the page, then make your change again."),
            )
            return self._shown(request, form, latest=latest, status=409)
        messages.success(request, _("Saved. It takes effect everywhere within 5 seconds."))
        return redirect("admin:conversations_v1deprecation_changelist")

    def _shown(
        self,
        request: HttpRequest,
        form: DeprecationForm,
        *,
        latest: V1Deprecation | None,
        status: int = 200,
        **more: Any,
    ) -> HttpResponse:
        changes = list(V1Deprecation.objects.select_related("by")[:CHANGES_SHOWN])
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Deprecation of the v1 API"),
            "form": form,
            "headers": deprecation_headers(latest.since, latest.sunset) if latest else {},
            "changes": [(change, _sunset(change)) for change in changes],
            **more,
        }
        return TemplateResponse(request, "admin/conversations/v1deprecation.html", context, status=status)


def _sunset(change: V1Deprecation) -> Any:
    """Return the day on which the v1 API may be turned off; None if it is not deprecated."""
    return change.sunset or (months_after(change.since, MONTHS_TO_SUNSET) if change.since else None)
