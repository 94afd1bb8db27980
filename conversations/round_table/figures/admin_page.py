"""Admin page with the figures of round tables over time: of the whole site, or of one person."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.round_table.figures.over_time import SHOWN, newest_first, table_figures
from conversations.round_table.roster import all_collaborators

PAGE = "admin/conversations/round_table/figures.html"


class FiguresForm(forms.Form):
    """What the figures are of."""

    by = forms.ChoiceField(
        label=gettext_lazy("One row for each"),
        choices=[("day", gettext_lazy("day")), ("week", gettext_lazy("week"))],
        required=False,
    )
    person = forms.CharField(
        label=gettext_lazy("Username"),
        max_length=150,
        required=False,
        help_text=gettext_lazy("Leave it empty for the whole site."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_by(self) -> str:
        return self.cleaned_data["by"] or "day"

    def clean_person(self) -> Any:
        """Return the person, or None for the whole site."""
        name = self.cleaned_data["person"]
        # No database stores a null character, and none takes one in a query.
        person = get_user_model().objects.filter(username=name).first() if "\0" not in name else None
        if name and person is None:
            raise forms.ValidationError(_("There is no person with the username “%(name)s”.") % {"name": name})
        return person


def show_figures(request: HttpRequest, model_admin: "admin.ModelAdmin[Any]") -> HttpResponse:
    """Return the page. Raises PermissionDenied for staff who may not see round tables."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    form = FiguresForm(request.GET if request.GET else {"by": "day"})
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": _("Figures for round tables"),
        "form": form,
    }
    if form.is_valid():
        by, person = form.cleaned_data["by"], form.cleaned_data["person"]
        figures = table_figures(person, by=by)
        titles = {each.name: each.title for each in all_collaborators()}
        context |= {
            "by": by,
            "person": person,
            "periods_counted": SHOWN[by],
            "whole": figures.whole,
            "periods": list(newest_first(figures)),
            "agents": [(titles.get(name, name), times) for name, times in figures.agents.items()],
        }
    return TemplateResponse(request, PAGE, context, status=200 if form.is_valid() else 422)
