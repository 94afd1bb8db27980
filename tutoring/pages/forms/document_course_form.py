"""The forms of a course from a document: what stays of the draft, and one question."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.document_courses.concepts import DraftedConcept
from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.drafts import DocumentDraft
from tutoring.pages.forms.answer_form import validate_storable

MAX_STEM, MAX_OPTION = 600, 400


class DocumentDraftForm(forms.Form):
    """The titles, and which topics and questions are kept."""

    title = forms.CharField(label=_("Title of your course"), max_length=100, validators=[validate_storable])

    def __init__(self, data: Any = None, *, draft: DocumentDraft) -> None:
        super().__init__(data, initial={"title": draft.title})
        self.draft = draft
        for concept in draft.concepts:
            self.fields[f"title-{concept.id}"] = forms.CharField(
                label=_("Title"), max_length=100, initial=concept.title, validators=[validate_storable]
            )
            for at, question in _shown(concept):
                self.fields[f"keep-{concept.id}-{at}"] = forms.BooleanField(required=False, initial=question.is_kept)

    def rows(self) -> list[dict[str, Any]]:
        """Return each concept with its fields and its questions."""
        return [
            {
                "concept": concept,
                "title": self[f"title-{concept.id}"],
                "questions": [
                    {"number": at, "question": question, "keep": self[f"keep-{concept.id}-{at}"]}
                    for at, question in _shown(concept)
                ],
            }
            for concept in self.draft.concepts
        ]

    def changes(self) -> dict[str, Any]:
        """Return the arguments of `changed_draft`."""
        given = self.cleaned_data
        return {
            "title": given["title"],
            "titles": {concept.id: given[f"title-{concept.id}"] for concept in self.draft.concepts},
            "left_out": set(),
            "kept": {
                (concept.id, at): given[f"keep-{concept.id}-{at}"]
                for concept in self.draft.concepts
                for at, _question in _shown(concept)
            },
        }


def _shown(concept: DraftedConcept) -> list[tuple[int, DraftedQuestion]]:
    return [(at, question) for at, question in enumerate(concept.questions) if not question.is_deleted]


class DraftedQuestionForm(forms.Form):
    """One question: its text, and its options, answers or pairs."""

    stem = forms.CharField(
        label=_("Question"),
        max_length=MAX_STEM,
        validators=[validate_storable],
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, data: Any = None, *, question: DraftedQuestion) -> None:
        super().__init__(data, initial={"stem": question.stem})
        self.question = question
        for name, label, text in _texts(question):
            self.fields[name] = forms.CharField(
                label=label, max_length=MAX_OPTION, initial=text, validators=[validate_storable]
            )

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        texts = [given.get(name, "").casefold() for name, _label, _text in _texts(self.question)]
        if len(set(texts)) < len(texts):
            raise forms.ValidationError(_("Two of the answers are the same."))
        return given

    def changed(self) -> dict[str, Any]:
        """Return the changed fields of the question."""
        given = self.cleaned_data
        texts = [given[name] for name, _label, _text in _texts(self.question)]
        changed: dict[str, Any] = {"stem": given["stem"]}
        match self.question.kind:
            case "match":
                changed["pairs"] = tuple(zip(texts[::2], texts[1::2], strict=True))
            case "text":
                changed["accepted"] = tuple(texts)
            case _:
                changed["options"] = tuple(texts)
        return changed


def _texts(question: DraftedQuestion) -> list[tuple[str, Any, str]]:
    """Return the name, label and text of each field besides the stem."""
    match question.kind:
        case "match":
            return [
                (f"{side}-{at}", label, text)
                for at, pair in enumerate(question.pairs)
                for side, label, text in zip(("row", "partner"), (_("Term"), _("Description")), pair, strict=True)
            ]
        case "text":
            return [(f"answer-{at}", _("Right answer"), text) for at, text in enumerate(question.accepted)]
        case "order":
            return [(f"option-{at}", _("Step"), text) for at, text in enumerate(question.options)]
        case _:
            return [
                (f"option-{at}", _("Wrong answer") if at else _("Right answer"), text)
                for at, text in enumerate(question.options)
            ]
