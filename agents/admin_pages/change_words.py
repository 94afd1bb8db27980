"""Changes in words, for the history of an object on the admin pages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.db.models import Model
from django.forms.models import BaseModelFormSet
from django.utils.translation import gettext as _


def change_message(form: forms.BaseForm, formsets: Iterable[BaseModelFormSet[Any, Any]], *, is_new: bool) -> str:
    """Return what was changed from what to what, in sentences. Only for values that admins may read."""
    sentences = [_("Added.")] if is_new else list(form_changes(form))
    for formset in formsets or ():
        sentences += formset_changes(formset)
    return " ".join(sentences) or _("Nothing was changed.")


def form_changes(form: forms.BaseForm) -> Iterator[str]:
    """Yield a sentence for each changed field."""
    for name in form.changed_data:
        field = form.fields[name]
        before, after = (_shown(field, value) for value in (form.initial.get(name), form.cleaned_data.get(name)))
        words = {"field": str(field.label or name).lower(), "before": before, "after": after}
        yield _("Changed %(field)s from %(before)s to %(after)s.") % words


def formset_changes(formset: BaseModelFormSet[Any, Any]) -> Iterator[str]:
    """Yield a sentence for each row that was added, changed or deleted."""
    assert formset.model is not None
    name = str(formset.model._meta.verbose_name)
    for row in formset.new_objects:
        yield _("Added %(kind)s “%(row)s”.") % {"kind": name, "row": row}
    for row, columns in formset.changed_objects:
        words = {"kind": name, "row": row, "columns": ", ".join(_label(row, each) for each in columns)}
        yield _("Changed %(kind)s “%(row)s”: %(columns)s.") % words
    for row in formset.deleted_objects:
        yield _("Deleted %(kind)s “%(row)s”.") % {"kind": name, "row": row}


def difference(before: Mapping[str, Any] | None, after: Mapping[str, Any], labels: Mapping[str, Any]) -> str:
    """Return what differs between two records of values, in sentences; `labels` names the values that are compared."""
    before = before or {}
    return " ".join(
        _("Changed %(field)s from %(before)s to %(after)s.")
        % {"field": label, "before": _quoted(before.get(name)), "after": _quoted(after.get(name))}
        for name, label in labels.items()
        if before.get(name) != after.get(name)
    )


def _label(row: Model, column: str) -> str:
    field = row._meta.get_field(column)
    return str(getattr(field, "verbose_name", column)).lower()


def _shown(field: forms.Field, value: Any) -> str:
    """Return a field's value as its form shows it."""
    if isinstance(field.widget, forms.Select) and not isinstance(field, forms.ModelChoiceField):
        value = dict(field.widget.choices).get(value, value)
    if isinstance(field, forms.BooleanField):
        return _("yes") if value else _("no")
    return _quoted(value)


def _quoted(value: Any) -> str:
    return _("nothing") if value in (None, "", [], {}) else str(value)
