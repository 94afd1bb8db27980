"""The admin pages' own door: one way to sign in for everybody, and nothing to see for who is no admin."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, cast

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from agents.models import Alert


class LearnagentAdminSite(AdminSite):
    """Django's admin without a sign-in of its own, which nothing would throttle."""

    site_title = site_header = _("learnagent administration")
    index_title = _("Settings and records")

    def admin_view[View: Callable[..., HttpResponseBase]](self, view: View, cacheable: bool = False) -> View:
        guarded = super().admin_view(view, cacheable)

        def admins_only(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.user.is_authenticated and not self.has_permission(request):
                raise Http404
            try:
                return guarded(request, *args, **kwargs)
            except PermissionDenied:  # What nobody may do here does not exist either.
                raise Http404 from None

        return cast("View", update_wrapper(admins_only, guarded))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        if open_alerts := Alert.objects.filter(settled_at=None).count():
            words = ngettext("%(count)d alert is open.", "%(count)d alerts are open.", open_alerts)
            messages.warning(request, words % {"count": open_alerts})
        return super().index(request, extra_context)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.GET.get("next") or resolve_url("admin:index"))

    def password_change(  # type: ignore[override]  # A redirect is a response too.
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("accounts:password")
