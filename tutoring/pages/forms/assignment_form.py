"""The form of an assignment, for its teacher."""

from collections.abc import Mapping
from datetime import datetime, time
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tutoring.assignments.audiences import learners_of
from tutoring.assignments.changes import AssignmentDraft
from tutoring.assignments.due_days import END_OF_DAY, NoSuchTime, local_moment
from tutoring.assignments.quiz_items import SEED_LIMIT, askable_concepts
from tutoring.assignments.readings import ARTICLE, DOCUMENT, reading_choices, shared_documents
from tutoring.models import Assignment, Classroom, Concept
from tutoring.models.assignments import MAX_QUESTIONS, NOTE_MAX_LENGTH, TITLE_MAX_LENGTH, USUAL_QUESTIONS
from tutoring.pages.forms.answer_form import validate_storable
from tutoring.pages.forms.assignment_values import initial_of
from tutoring.planner.pages.forms.fields import ClockField, DayField

KINDS: Final = Assignment.Kind
AUDIENCES: Final = (("all", _("The whole class")), ("groups", _("Groups")), ("people", _("Single pupils")))
TITLES_NAMED: Final = 2


class AssignmentForm(forms.Form):
    """What is to be done, by whom, and until when. Fields that the chosen kind does not have are ignored."""

    title = forms.CharField(
        label=_("Title"),
        required=False,
        max_length=TITLE_MAX_LENGTH,
        validators=[validate_storable],
        help_text=_("If you leave this blank, the title says what there is to do."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    kind = forms.ChoiceField(label=_("What to do"), choices=KINDS.choices, widget=forms.RadioSelect)
    topics = forms.MultipleChoiceField(label=_("Topics"), required=False, widget=forms.CheckboxSelectMultiple)
    answers = forms.IntegerField(
        label=_("Number of answers"),
        required=False,
        min_value=1,
        max_value=200,
        help_text=_("Leave this blank if pupils should work until they have mastered the topics."),
    )
    questions = forms.IntegerField(label=_("Number of questions"), required=False, min_value=1, max_value=MAX_QUESTIONS)
    score = forms.IntegerField(
        label=_("Percentage to reach"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_("Leave this blank if it is enough to finish the quiz."),
    )
    is_live = forms.BooleanField(
        label=_("Take the quiz together in class. You decide when the next question comes."), required=False
    )
    gives_hints = forms.BooleanField(label=_("Pupils can get hints."), required=False)
    explains_at_once = forms.BooleanField(
        label=_("Pupils see after each question whether they were right. Otherwise, they see it at the end."),
        required=False,
    )
    is_evidence = forms.BooleanField(label=_("The answers count toward mastery."), required=False)
    reading = forms.ChoiceField(
        label=_("Document or article"),
        required=False,
        help_text=_("You can choose documents from library folders that you share with this class."),
    )
    goal_topic = forms.ChoiceField(
        label=_("Goal"),
        required=False,
        help_text=_("Each pupil gets a path to this topic, starting from what they know."),
    )
    audience = forms.ChoiceField(label=_("Who gets it"), choices=AUDIENCES, widget=forms.RadioSelect)
    groups = forms.MultipleChoiceField(label=_("Groups"), required=False, widget=forms.CheckboxSelectMultiple)
    people = forms.MultipleChoiceField(label=_("Pupils"), required=False, widget=forms.CheckboxSelectMultiple)
    starts_on = DayField(label=_("Pupils see it from"))
    due_on = DayField(label=_("Due on"))
    due_time = ClockField(label=_("Due at"), required=False, help_text=_("Leave this blank for the end of the day."))
    note = forms.CharField(
        label=_("Note to your pupils"),
        required=False,
        max_length=NOTE_MAX_LENGTH,
        validators=[validate_storable],
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    tells_done = forms.BooleanField(
        label=_("Show me who is done. Your pupils read this before they start. You still can’t see how they did."),
        required=False,
    )
    seed = forms.IntegerField(min_value=0, max_value=SEED_LIMIT, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        classroom: Classroom,
        concepts: list[Concept],
        changes: Assignment | None = None,
        copies: Assignment | None = None,
        suggested: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """`changes` is the assignment that is changed, `copies` one that a new one is like, `suggested` what is chosen."""
        self.changes = changes
        kwargs["initial"] = initial_of(changes or copies, edited=changes is not None) | dict(suggested or {})
        super().__init__(*args, **kwargs)
        self.concepts = {str(each.pk): each for each in askable_concepts(concepts)}
        self.places = {str(each.pk): each for each in learners_of([classroom])[classroom.pk]}
        self.named_groups = {str(each.pk): each for each in classroom.groups.all()}
        self.documents = {str(each.pk): each for each in shared_documents(classroom)}
        self.fields["kind"].disabled = changes is not None
        self._set_choices()

    def _set_choices(self) -> None:
        by_course: dict[str, list[tuple[str, str]]] = {}
        for key, concept in self.concepts.items():
            by_course.setdefault(concept.course.title, []).append((key, concept.title))
        topics: list[Any] = list(by_course.items())
        choices = {
            "topics": topics if len(topics) > 1 else [each for _course, own in topics for each in own],
            "goal_topic": [("", "–"), *topics],
            "groups": [(key, each.name) for key, each in self.named_groups.items()],
            "people": [(key, str(each.person)) for key, each in self.places.items()],
            "reading": [("", "–"), *reading_choices(list(self.documents.values()))],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]  # Of choice fields.

    def keep_questions(self) -> None:
        """Keep the topics and the number of questions as they are: pupils have started the quiz."""
        for name in ("topics", "questions", "seed", "is_live"):
            self.fields[name].disabled = True

    # --- Checks ---

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        match cleaned.get("kind"):
            case KINDS.CONCEPT | KINDS.QUIZ:
                self._check_topics(cleaned)
            case KINDS.PATH if not cleaned.get("goal_topic"):
                self.add_error("goal_topic", _("Choose the goal of the path."))
            case KINDS.READING if not cleaned.get("reading"):
                self.add_error("reading", _("Choose what your pupils should read."))
        if cleaned.get("kind") == KINDS.QUIZ and not cleaned.get("questions") and "questions" not in self.errors:
            self.add_error("questions", _("Enter how many questions the quiz has."))
        for name, text in (("groups", _("Choose at least one group.")), ("people", _("Choose at least one pupil."))):
            if cleaned.get("audience") == name and not cleaned.get(name):
                self.add_error(name, text)
        self._check_times(cleaned)
        return cleaned

    def _check_topics(self, cleaned: dict[str, Any]) -> None:
        chosen = [self.concepts[key] for key in cleaned.get("topics", ())]
        if not chosen:
            self.add_error("topics", _("Choose at least one topic."))
        elif len({each.course_id for each in chosen}) > 1:
            self.add_error("topics", _("Choose topics from one course only."))

    def _check_times(self, cleaned: dict[str, Any]) -> None:
        starts_on, due_on = cleaned.get("starts_on"), cleaned.get("due_on")
        if starts_on is None or due_on is None or self.errors.get("due_time"):
            return
        zone, now = timezone.get_current_timezone(), timezone.now()
        starts_at = datetime.combine(starts_on, time(), zone)
        if self.changes is not None and timezone.localdate(self.changes.starts_at) == starts_on:
            starts_at = self.changes.starts_at
        elif starts_on == timezone.localdate(now):
            starts_at = now
        try:
            due_at = local_moment(due_on, cleaned.get("due_time") or END_OF_DAY, zone)
        except NoSuchTime:
            self.add_error(
                "due_time", _("This time does not exist on that day, because the clocks change. Choose another time.")
            )
            return
        if due_at <= starts_at:
            self.add_error("due_on", _("The due date must be after the day on which pupils first see it."))
        elif due_at <= now and (self.changes is None or due_at != self.changes.due_at):
            self.add_error("due_on", _("This time has already passed. Choose a later one."))
        cleaned |= {"starts_at": starts_at, "due_at": due_at}

    # --- What was chosen ---

    def draft(self) -> AssignmentDraft:
        """Return what to store; only of a valid form."""
        said = self.cleaned_data
        kind = said["kind"]
        chosen = {KINDS.CONCEPT: said["topics"], KINDS.QUIZ: said["topics"], KINDS.PATH: [said["goal_topic"]]}
        concepts = [self.concepts[key] for key in chosen.get(kind, [])]
        reading = said["reading"] if kind == KINDS.READING else ""
        is_quiz = kind == KINDS.QUIZ
        fields = {
            "title": said["title"] or self._usual_title(concepts, reading),
            "kind": kind,
            "course": concepts[0].course if concepts else None,
            "questions": said["questions"] or USUAL_QUESTIONS,
            "seed": said["seed"],
            "document": self.documents.get(reading.removeprefix(DOCUMENT)) if reading.startswith(DOCUMENT) else None,
            "article": reading.removeprefix(ARTICLE) if reading.startswith(ARTICLE) else "",
            "goal_number": said["score"] if is_quiz else said["answers"] if kind == KINDS.CONCEPT else None,
            "is_for_all": said["audience"] == "all",
            **{name: said[name] for name in ("starts_at", "due_at", "note", "tells_done")},
            **{name: said[name] and is_quiz for name in ("is_live", "gives_hints", "explains_at_once")},
            "is_evidence": said["is_evidence"] or not is_quiz,
        }
        groups = [self.named_groups[key] for key in said["groups"]] if said["audience"] == "groups" else []
        people = [self.places[key] for key in said["people"]] if said["audience"] == "people" else []
        return AssignmentDraft(fields=fields, concepts=concepts, groups=groups, people=people)

    def _usual_title(self, concepts: list[Concept], reading: str) -> str:
        """Return what there is to do, as a title: the topics, the number of questions, or what to read."""
        named = ", ".join(each.title for each in concepts[:TITLES_NAMED]) + (
            " …" if len(concepts) > TITLES_NAMED else ""
        )
        if self.cleaned_data["kind"] == KINDS.QUIZ:
            count = self.cleaned_data["questions"]
            words = ngettext("%(topics)s: %(count)d question", "%(topics)s: %(count)d questions", count)
            named = words % {"topics": named, "count": count}
        if self.cleaned_data["kind"] == KINDS.PATH:
            named = _("Path to %(topic)s") % {"topic": named}
        titles = dict(reading_choices(list(self.documents.values()))) if reading else {}
        return titles.get(reading, named)[:TITLE_MAX_LENGTH]
