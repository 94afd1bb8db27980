"""Forms of a roster's import."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from learnagent.accounts.models import AgeBand
from learnagent.rosters.columns import Column, Columns, has_names
from learnagent.rosters.oneroster import SchoolClass
from learnagent.rosters.tables import MAX_BYTES, Table
from learnagent.rosters.uploads import NEW_CLASS
from tutoring.models import Classroom

MAX_PASTED = 200_000
"""Characters."""
COLUMN_LABELS = {
    "": _("leave out"),
    Column.NAME: _("full name"),
    Column.FIRST: _("first name"),
    Column.LAST: _("last name"),
    Column.USERNAME: _("username"),
    Column.EMAIL: _("email address"),
    Column.GROUP: _("group"),
    Column.AGE: _("age"),
}
COLUMNS_SHOWN = 20
"""Columns that can be chosen from."""


class UploadForm(forms.Form):
    """A roster as a file or as pasted text, and how old its pupils are."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=_("A CSV file, or a ZIP file of OneRoster 1.1 files. Up to 10,000 rows and 1 MB."),
        widget=forms.ClearableFileInput(
            attrs={
                "accept": ".csv,.tsv,.txt,.zip",
                "data-most-bytes": MAX_BYTES,
                "data-large": _("This file is larger than 1 MB. Choose a smaller one."),
            }
        ),
    )
    text = forms.CharField(
        label=_("Or paste the list"),
        required=False,
        strip=False,
        help_text=_("One pupil per line, for example copied from a spreadsheet."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    age_band = forms.ChoiceField(
        label=_("How old are your pupils?"),
        choices=AgeBand,
        initial=AgeBand.CHILD,
        widget=forms.RadioSelect,
        help_text=_(
            "Used for rows without an age. What pupils under 18 write is sent to a model outside this site only if a "
            "parent or guardian agrees."
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        upload, text = cleaned.get("file"), cleaned.get("text") or ""
        if upload is None and not text.strip():
            raise ValidationError(_("Choose a file or paste a list."))
        if upload is not None and text.strip():
            raise ValidationError(_("Choose a file or paste a list, not both."))
        if upload is not None and upload.size > MAX_BYTES:
            self.add_error("file", _("The file is too large. It can have up to 1 MB."))
        if len(text) > MAX_PASTED:
            self.add_error("text", _("This is too long to paste. Save it as a CSV file and choose the file."))
        return cleaned

    def data_bytes(self) -> bytes:
        """Return what was uploaded or pasted."""
        upload = self.cleaned_data["file"]
        # A byte order mark says that pasted text is UTF-8, whatever is in it.
        data: bytes = upload.read() if upload else self.cleaned_data["text"].encode("utf-8-sig", "replace")
        return data


class ColumnsForm(forms.Form):
    """What each column of a table holds."""

    has_header = forms.BooleanField(label=_("The first row has headings, not a pupil"), required=False)

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        width = min(COLUMNS_SHOWN, max(map(len, table)))
        self.columns = [f"column-{place}" for place in range(width)]
        for place, name in enumerate(self.columns):
            examples = ", ".join(row[place] for row in table[:3] if place < len(row) and row[place])
            label = examples[:80] or _("(empty)")
            self.fields[name] = forms.ChoiceField(label=label, choices=list(COLUMN_LABELS.items()), required=False)
        self.order_fields([*self.columns, "has_header"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = [cleaned[name] for name in self.columns if cleaned.get(name)]
        if len(chosen) != len(set(chosen)):
            raise ValidationError(_("Two columns cannot hold the same thing. Choose each only once."))
        if not self.errors and not has_names(self.chosen()):
            raise ValidationError(_("Choose the column with the names."))
        return cleaned

    def chosen(self) -> Columns:
        """Return what was chosen."""
        values = enumerate(self.cleaned_data.get(name) for name in self.columns)
        return {place: Column(value) for place, value in values if value}


class ClassesForm(forms.Form):
    """Where each class of OneRoster files goes."""

    def __init__(
        self, *args: Any, school: Sequence[SchoolClass], classroom: Classroom, own: Iterable[Classroom], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        others = [each for each in own if each != classroom]
        choices = [
            ("", _("leave out")),
            (classroom.code, _("this class: %(name)s") % {"name": classroom.name}),
            (NEW_CLASS, _("a new class")),
            *((each.code, each.name) for each in others),
        ]
        self.names = {f"class-{place}": each.source_id for place, each in enumerate(school)}
        for name, each in zip(self.names, school, strict=True):
            self.fields[name] = forms.ChoiceField(label=each.title, choices=choices, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = list(self.targets().values())
        if not chosen and not self.errors:
            raise ValidationError(_("Choose a class for at least one of these."))
        taken = [code for code in chosen if code != NEW_CLASS]
        if len(taken) != len(set(taken)):
            raise ValidationError(_("Two classes of the file cannot go to the same class."))
        return cleaned

    def targets(self) -> dict[str, str]:
        """Return what was chosen, by the ids of the classes in the files."""
        return {source: code for name, source in self.names.items() if (code := self.cleaned_data.get(name))}
