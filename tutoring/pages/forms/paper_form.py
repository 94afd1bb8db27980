"""What a teacher wants to print as a quiz."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.assignments.changes import new_seed
from tutoring.assignments.quiz_items import SEED_LIMIT, askable_concepts
from tutoring.assignments.quiz_papers import VERSIONS
from tutoring.models import Concept, Course
from tutoring.models.assignments import MAX_QUESTIONS, TITLE_MAX_LENGTH, USUAL_QUESTIONS
from tutoring.pages.forms.answer_form import validate_storable


class PaperForm(forms.Form):
    """Topics and a number of questions. With the same number under the paper, the same questions are drawn again."""

    title = forms.CharField(
        label=_("Title"), required=False, max_length=TITLE_MAX_LENGTH, validators=[validate_storable]
    )
    topic = forms.MultipleChoiceField(label=_("Topics"), widget=forms.CheckboxSelectMultiple)
    questions = forms.IntegerField(
        label=_("Number of questions"), min_value=1, max_value=MAX_QUESTIONS, initial=USUAL_QUESTIONS
    )
    seed = forms.IntegerField(
        label=_("Paper number"),
        min_value=0,
        max_value=SEED_LIMIT,
        initial=new_seed,
        help_text=_("The same number prints the same questions again."),
    )
    version = forms.ChoiceField(
        label=_("Version"),
        choices=[(each, each) for each in VERSIONS],
        initial=VERSIONS[0],
        help_text=_("Version B asks the same with other numbers, for the pupil in the next seat."),
    )

    def __init__(self, *args: Any, concepts: list[Concept], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.concepts = {str(each.pk): each for each in askable_concepts(concepts)}
        by_course: dict[str, list[tuple[str, str]]] = {}
        for key, concept in self.concepts.items():
            by_course.setdefault(concept.course.title, []).append((key, concept.title))
        self.fields["topic"].choices = list(by_course.items())  # type: ignore[attr-defined]

    def clean_topic(self) -> list[str]:
        keys: list[str] = self.cleaned_data["topic"]
        if len({self.concepts[key].course_id for key in keys}) > 1:
            raise forms.ValidationError(_("Choose topics from one course only."))
        return keys

    def topics(self) -> tuple[Course, list[str]]:
        """Return the course and the slugs of the topics; only of a valid form."""
        chosen = [self.concepts[key] for key in self.cleaned_data["topic"]]
        return chosen[0].course, [each.slug for each in chosen]
