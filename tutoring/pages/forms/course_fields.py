"""The forms for a course, a concept, a piece of a lesson and a misconception that a teacher writes."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.course_writing.concepts import course_fields
from tutoring.course_writing.draft_files import Files
from tutoring.course_writing.lessons import DraftPiece
from tutoring.course_writing.misconceptions import EXAMPLES, KINDS
from tutoring.courses.files.lesson_markdown import SECTIONS
from tutoring.pages.forms.answer_form import validate_storable
from tutoring.pages.forms.written_fields import FieldGroup, WrittenField, options_of

LICENSES = ("CC BY 4.0", "CC BY-SA 4.0", "CC BY-NC 4.0", "CC0 1.0", "All rights reserved")
SECTION_WORDS = dict(
    zip(
        SECTIONS,
        (
            gettext_lazy("Explanation for beginners"),
            gettext_lazy("Explanation at a medium level"),
            gettext_lazy("Explanation for the advanced"),
            gettext_lazy("Worked example"),
        ),
        strict=True,
    )
)
KIND_WORDS = dict(
    zip(
        KINDS,
        (gettext_lazy("a wrong idea"), gettext_lazy("a wrong procedure"), gettext_lazy("a slip")),
        strict=True,
    )
)
ABOUT = ("title", "summary", "language", "license", "attribution")


class NewCourseForm(forms.Form):
    title = forms.CharField(label=gettext_lazy("Title"), max_length=100, validators=[validate_storable])
    summary = forms.CharField(
        label=gettext_lazy("Summary"),
        max_length=500,
        validators=[validate_storable],
        help_text=gettext_lazy("What one learns in this course, in one or two sentences."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    language = forms.CharField(
        label=gettext_lazy("Language"),
        max_length=6,
        validators=[
            RegexValidator(r"^[a-z]{2,3}(-[A-Z]{2})?$", gettext_lazy("Enter a language code, such as en or es."))
        ],
        help_text=gettext_lazy("A language code, such as en or es."),
    )
    license = forms.CharField(
        label=gettext_lazy("License"),
        max_length=200,
        validators=[validate_storable],
        help_text=gettext_lazy("Under which terms others may use the course, such as CC BY 4.0."),
        widget=forms.TextInput(attrs={"list": "licenses"}),
    )
    licenses = LICENSES


def about_values(files: Files) -> dict[str, str]:
    fields = course_fields(files)
    return {name: str(fields.get(name) or "") for name in ABOUT}


def about_groups(values: Mapping[str, str]) -> tuple[FieldGroup, ...]:
    fields = (
        WrittenField(name="title", label=_("Title"), value=values.get("title", "")),
        WrittenField(name="summary", label=_("Summary"), kind="area", value=values.get("summary", ""), rows=2),
        WrittenField(name="language", label=_("Language"), value=values.get("language", ""), is_short=True),
        WrittenField(name="license", label=_("License"), value=values.get("license", ""), is_short=True),
        WrittenField(
            name="attribution", label=_("Source"), kind="area", value=values.get("attribution", ""), rows=2,
            help=_("Where the content comes from, if it is not your own. Learners see this on the page of the course."),
        ),
    )  # fmt: skip
    return (FieldGroup(fields=fields),)


def concept_groups(values: Mapping[str, str]) -> tuple[FieldGroup, ...]:
    can = _("Ends the sentence “You can …”, for learners who have mastered the topic. Optional.")
    fields = (
        WrittenField(name="title", label=_("Title"), value=values.get("title", "")),
        WrittenField(
            name="summary",
            label=_("Summary"),
            kind="area",
            value=values.get("summary", ""),
            rows=2,
            help=_("One sentence. Learners see it on the map."),
        ),
        WrittenField(name="can", label=_("What one can do then"), value=values.get("can", ""), help=can),
    )
    return (FieldGroup(fields=fields),)


def piece_groups(piece: DraftPiece) -> tuple[FieldGroup, ...]:
    text = _("At most 60 words with the question. You can use Markdown, and formulas between dollar signs.")
    question = _("Each part of a lesson ends with one question. The learner answers it in their own words.")
    words = _(
        "One idea a line, other words for it after a slash: big / large. If you leave this empty, every answer is taken."
    )
    level = WrittenField(
        name="section", label=_("This is"), kind="select", options=options_of(SECTION_WORDS), value=piece.section
    )
    reply = [
        WrittenField(name="words", label=_("Words of a good answer"), kind="area", value=piece.words, help=words),
        WrittenField(name="heard", label=_("Reply to a good answer"), kind="area", rows=2, value=piece.heard),
        WrittenField(
            name="not_yet",
            label=_("Reply to any other answer"),
            kind="area",
            rows=2,
            value=piece.not_yet,
            help=_("Suggest something easier to try first."),
        ),
    ]
    return (
        FieldGroup(fields=(
            level,
            WrittenField(name="text", label=_("Text"), kind="area", rows=7, value=piece.text, help=text),
            WrittenField(name="question", label=_("Question"), value=piece.question, help=question),
        )),
        FieldGroup(title=_("Replies"), fields=tuple(reply[1:] if piece.keeps_ideas else reply), is_folded=True),
    )  # fmt: skip


def misconception_groups(values: Mapping[str, Any]) -> tuple[FieldGroup, ...]:
    def area(name: str, label: str, help: str = "") -> WrittenField:
        return WrittenField(name=name, label=label, kind="area", rows=2, value=values.get(name, ""), help=help)

    fields = (
        area("says", _("The wrong idea"), _("In one sentence, as a learner would say it.")),
        area("correct_idea", _("The correct idea")),
        area("description", _("What learners with this idea do")),
        area(
            "noticed",
            _("What the tutor says about it"),
            _("Optional. A sentence that tells the learner what went wrong."),
        ),
        WrittenField(
            name="kind",
            label=_("Kind"),
            kind="select",
            options=options_of(KIND_WORDS),
            value=values.get("kind", ""),
            is_short=True,
        ),
    )
    examples = tuple(
        WrittenField(name=f"{name}-{at}", label=label, value=values.get(f"{name}-{at}", ""), is_short=True)
        for at in range(EXAMPLES)
        for name, label in (("question", _("Question")), ("answer", _("Wrong answer")))
    )
    told = _("Wrong answers in learners’ words. Similar answers are recognized.")
    return (FieldGroup(fields=fields), FieldGroup(title=_("Examples"), help=told, fields=examples, is_folded=True))


def idea_options(entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the misconceptions of a draft to choose from."""
    return [(str(each.get("id", "")), str(each.get("says") or each.get("id", ""))) for each in entries]
