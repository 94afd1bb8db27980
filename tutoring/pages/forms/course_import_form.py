"""The forms for importing a course: the files, and what a teacher changes in the draft."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from tutoring.course_imports.course_files import MAX_ATTRIBUTION
from tutoring.course_imports.drafts import MAX_FILES, CourseDraft
from tutoring.course_imports.files import MAX_BYTES
from tutoring.pages.forms.answer_form import validate_storable

NONE = ""
CHOICES_BEFORE = 20
"""Topics before a topic that can be chosen as its prerequisites."""


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        files: list[Any] = list(data) if isinstance(data, (list, tuple)) else [data]
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


class ImportForm(forms.Form):
    upload = FilesField(
        label=_("Files"),
        help_text=_(
            "GIFT, Moodle XML, QTI (also as a ZIP), Canvas quizzes, or OATutor JSON. Up to 50 files, with 10 MB in total. Or the files of one course (ZIP)."
        ),
        widget=FilesInput(
            attrs={
                "accept": ".gift,.txt,.xml,.zip,.imscc,.json,.jsonl",
                "data-most-files": MAX_FILES,
                "data-many": _("You chose more than 50 files. Choose fewer, or put them into a ZIP file."),
                "data-most-bytes": MAX_BYTES,
                "data-large": _("These files are larger than 10 MB in total. Choose fewer, or split them."),
            }
        ),
    )
    title = forms.CharField(
        label=_("Title of the course"),
        required=False,
        max_length=100,
        validators=[validate_storable],
        help_text=_("Optional. If you leave it empty, the title comes from the files."),
    )

    def contents(self) -> list[tuple[str, bytes]]:
        """Return the files by name."""
        return [(file.name or "file", file.read()) for file in self.cleaned_data["upload"]]


class DraftForm(forms.Form):
    """What is said about the course, and for each topic its title, whether it stays, and what comes before it."""

    title = forms.CharField(label=_("Title of the course"), max_length=100, validators=[validate_storable])
    language = forms.CharField(
        label=_("Language of the questions"),
        max_length=6,
        validators=[RegexValidator(r"^[a-z]{2,3}(-[A-Z]{2})?$", _("Enter a language code, such as en or es."))],
        help_text=_("A language code, such as en or es."),
    )
    license = forms.CharField(
        label=_("License"),
        max_length=500,
        validators=[validate_storable],
        help_text=_("Under which terms you may use the questions, such as CC BY 4.0 or “own work”."),
    )
    attribution = forms.CharField(
        label=_("Source"),
        required=False,
        max_length=MAX_ATTRIBUTION,
        validators=[validate_storable],
        help_text=_("Who wrote the questions. Learners see this on the page of the course."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, data: Any = None, *, draft: CourseDraft) -> None:
        head = {name: getattr(draft, name) for name in ("title", "language", "license", "attribution")}
        super().__init__(data, initial=head)
        self.draft = draft
        for at, topic in enumerate(draft.topics):
            self.fields[f"title-{topic.id}"] = forms.CharField(
                label=_("Title"), max_length=100, initial=topic.title, validators=[validate_storable]
            )
            self.fields[f"keep-{topic.id}"] = forms.BooleanField(
                label=_("Import this topic"), required=False, initial=True
            )
            for number in (1, 2):
                self.fields[f"after{number}-{topic.id}"] = forms.ChoiceField(
                    label=_("Comes after") if number == 1 else _("And after"),
                    required=False,
                    choices=self.earlier(at),
                    initial=topic.requires[number - 1] if len(topic.requires) >= number else NONE,
                )

    def earlier(self, at: int) -> list[tuple[str, Any]]:
        """Return the topics that can come before the topic at this place."""
        topics, proposed = self.draft.topics[:at], self.draft.topics[at].requires
        offered = [each for each in topics if each in topics[-CHOICES_BEFORE:] or each.id in proposed]
        return [(NONE, _("no other topic")), *((each.id, each.title) for each in offered)]

    def head_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("title", "language", "license", "attribution")]

    def topic_rows(self) -> list[dict[str, Any]]:
        """Return each topic of the draft with its fields."""
        return [
            {
                "topic": topic,
                "title": self[f"title-{topic.id}"],
                "keep": self[f"keep-{topic.id}"],
                "after": [self[f"after1-{topic.id}"], self[f"after2-{topic.id}"]] if at else [],
            }
            for at, topic in enumerate(self.draft.topics)
        ]

    def changes(self) -> dict[str, Any]:
        """Return the arguments of `changed_draft`."""
        given, topics = self.cleaned_data, self.draft.topics
        return {
            "head": {name: given[name] for name in ("title", "language", "license", "attribution")},
            "titles": {topic.id: given[f"title-{topic.id}"] for topic in topics},
            "requires": {
                topic.id: dict.fromkeys(filter(None, (given[f"after{number}-{topic.id}"] for number in (1, 2))))
                for topic in topics
            },
            "left_out": [topic.id for topic in topics if not given[f"keep-{topic.id}"]],
        }
