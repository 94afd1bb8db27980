"""Admin pages of the move from v1: imports, rows with problems, conversations without an owner, divergence."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from conversations.models import KEY_MAX_LENGTH, Capture, StorageTask, V1Import, V1RowProblem
from conversations.v1_storage.divergence import measure_divergence
from conversations.v1_storage.importer import adopt_orphans
from conversations.v1_storage.modes import storage_mode
from conversations.v1_storage.orphans import LISTED, count_orphaned_sessions, list_orphans
from conversations.v1_storage.reconciler import reconcile

REPAIRED_AT_ONCE = 1000
"""Exchanges that one click repairs; the periodic job repairs the rest."""
PROBLEMS_ON_A_PAGE = 100


class AssignForm(forms.Form):
    session_id = forms.CharField(max_length=KEY_MAX_LENGTH, strip=False, widget=forms.HiddenInput)
    owner = forms.CharField(label=gettext_lazy("Username"), max_length=150)

    def clean_owner(self) -> Any:
        name = self.cleaned_data["owner"]
        person = get_user_model().objects.filter(username=name).first()
        if person is None:
            raise forms.ValidationError(_("There is no person with the username “%(name)s”.") % {"name": name})
        return person


@admin.register(V1Import)
class V1ImportAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Imports are made by a command; here they are shown."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: V1Import | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: V1Import | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        """Return only our own pages."""
        guarded = self.admin_site.admin_view
        return [
            path("", guarded(require_safe(self.overview)), name="conversations_v1import_changelist"),
            path("assign/", guarded(require_POST(self.assign)), name="conversations_v1import_assign"),
            path("reconcile/", guarded(require_POST(self.repair)), name="conversations_v1import_reconcile"),
            path("<int:pk>/", guarded(require_safe(self.one_import)), name="conversations_v1import_one"),
        ]

    def overview(self, request: HttpRequest) -> HttpResponse:
        return self.shown_overview(request)

    def assign(self, request: HttpRequest) -> HttpResponse:
        """Give a session's orphans to a person."""
        form = AssignForm(request.POST)
        if not form.is_valid():
            return self.shown_overview(request, form=form, status=422)
        person, session_id = form.cleaned_data["owner"], form.cleaned_data["session_id"]
        adopted = adopt_orphans(session_id, owner=person.pk)
        if not adopted:
            messages.warning(request, _("Someone else has assigned this conversation in the meantime."))
        else:
            words = ngettext(
                "%(count)d message pair of “%(session)s” now belongs to %(person)s.",
                "%(count)d message pairs of “%(session)s” now belong to %(person)s.",
                adopted,
            )
            self.log_change(request, person, f"v1 session {session_id}: {adopted} exchanges assigned")
            messages.success(
                request, words % {"count": adopted, "session": session_id, "person": person.get_username()}
            )
        return redirect("admin:conversations_v1import_changelist")

    def repair(self, request: HttpRequest) -> HttpResponse:
        done = reconcile(at_most=REPAIRED_AT_ONCE)
        counts = {"repaired": done.repaired, "failed": done.failed}
        words = _("Copied: %(repaired)d. Failed: %(failed)d.") % counts
        (messages.warning if done.failed else messages.success)(request, words)
        return redirect("admin:conversations_v1import_changelist")

    def one_import(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show an import, its verification, and the rows that had a problem, without what people wrote."""
        run = V1Import.objects.filter(pk=pk).first()
        if run is None:
            raise Http404
        problems = V1RowProblem.objects.filter(source=run).defer("raw").order_by("row", "pk")
        return self.shown(
            request,
            "import",
            title=run.name,
            run=run,
            reasons=_reasons(run),
            problems=Paginator(problems, PROBLEMS_ON_A_PAGE).get_page(request.GET.get("page")),
        )

    def shown_overview(
        self, request: HttpRequest, *, form: AssignForm | None = None, status: int = 200
    ) -> HttpResponse:
        runs = (
            V1Import.objects.select_related("owner")
            .order_by("-pk")
            .annotate(open_orphans=Count("captures", filter=Q(captures__owner=None)))
        )
        return self.shown(
            request,
            "overview",
            status=status,
            title=_("Move from v1"),
            mode=storage_mode(),
            divergence=measure_divergence(),
            tasks=StorageTask.objects.values("problem").annotate(count=Count("pk")).order_by("-count"),
            runs=runs,
            orphans=list_orphans(),
            orphans_total=count_orphaned_sessions(),
            orphans_listed=LISTED,
            form=form,
            has_captures=Capture.objects.exists(),
        )

    def shown(self, request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        name = f"admin/conversations/v1import/{template}.html"
        return TemplateResponse(request, name, context, status=status)


def _reasons(run: V1Import) -> list[dict[str, Any]]:
    """Return how many rows had which problem, the most frequent first."""
    rows = run.problems.values("reason").annotate(count=Count("pk"), rejected=Count("pk", filter=Q(is_rejected=True)))
    return [{**row, "label": V1RowProblem.Reason(row["reason"]).label} for row in rows.order_by("-count", "reason")]
