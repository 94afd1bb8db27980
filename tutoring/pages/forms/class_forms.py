"""Forms about a class."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tutoring.models import Policy
from tutoring.models.classes import NAME_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable

CONVERSATION_CHOICES = {
    Policy.Conversations.NOTHING: _("You can’t read your pupils’ conversations."),
    Policy.Conversations.SUMMARIES: _(
        "You can read summaries of conversations that begin from now on, but not what was said. Pupils can see every "
        "time you do this."
    ),
    Policy.Conversations.EVERYTHING: _(
        "From now on, you can read what is said in your pupils’ conversations. Pupils can see every time you do this."
    ),
}
PROGRESS_CHOICES = {
    Policy.Progress.NOTHING: _("You can’t see your pupils’ progress."),
    Policy.Progress.LEVELS: _(
        "You can see your pupils’ progress on each topic and their goals, but not their answers."
    ),
    Policy.Progress.EVIDENCE: _("You can see your pupils’ progress on each topic, their goals and their answers."),
}
PACE_CHOICES = {
    True: _(
        "The tutor may slow down or speed up based on how a pupil’s messages sound. "
        "Nobody else sees how the tutor reads a pupil’s tone."
    ),
    False: _("The tutor does not try to read your pupils’ moods."),
}
CONCERN_CHOICES = {
    Policy.Concerns.NOBODY: _(
        "If a pupil writes something that suggests they may be in danger, the tutor tells them who to talk to. "
        "You are not notified."
    ),
    Policy.Concerns.TEACHER: _(
        "If a pupil writes something that suggests they may be in danger, you are told that they may need help and "
        "how urgent it looks, but not what they wrote. If it is about a teacher, no teacher is told."
    ),
}
GRADE_CHOICES = {
    True: _(
        "When a pupil opens a topic from %(platform)s, their score on it is sent to %(platform)s as a grade, unless you "
        "can’t see their progress."
    ),
    False: _("No grades are sent to %(platform)s."),
}
RECORD_CHOICES = {
    False: _("Nothing is sent to a record store."),
    True: _(
        "What your pupils do from now on in lessons is also sent to your school’s record store: which questions they "
        "answered, whether the answers were right, and which topics they mastered. Each pupil has a code there instead "
        "of a name. What was sent cannot be taken back from here."
    ),
}
GUARDIAN_CHOICES = {
    Policy.Guardians.NOTHING: _("This class has no pages for parents and guardians."),
    Policy.Guardians.MONTHLY: _(
        "You can give a pupil’s parents or guardians a monthly page: topics, time, and what comes next. It has no "
        "answers, no conversations and no comparisons. For pupils who are in the class already, it starts in two weeks."
    ),
}
KEEPS_CHOICES = {
    Policy.Keeps.ALWAYS: _("Conversations and the words of answers are kept until the pupil deletes them."),
    Policy.Keeps.TWO_YEARS: _("Conversations, messages and the words of answers are deleted after two years."),
    Policy.Keeps.ONE_YEAR: _(
        "Conversations, messages and the words of answers are deleted after a year. Grades and scores stay. Deletion "
        "starts in two weeks at the earliest, and pupils are told before."
    ),
}
"""What a class may agree on, in words for its teachers; learners read it in the words of `Policy`."""


class CodeForm(forms.Form):
    """The code to join a class."""

    code = forms.CharField(
        label=_("Class code"),
        max_length=40,
        help_text=_("Ask your teacher for the code. You can use capital or lowercase letters."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class NameForm(forms.Form):
    """The name of a class."""

    name = forms.CharField(
        label=_("Class name"),
        max_length=NAME_MAX_LENGTH,
        validators=[validate_storable],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class PolicyForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """A class's policy: what its teachers may see and what the tutor may use, in words for a teacher."""

    affect = forms.TypedChoiceField(
        label=_("Pace"),
        required=False,
        choices=list(PACE_CHOICES.items()),
        coerce=lambda value: str(value) == "True",  # The previous value is coerced, too.
        widget=forms.RadioSelect,
    )

    sends_grades = forms.TypedChoiceField(
        label=_("Grades"), coerce=lambda value: str(value) == "True", widget=forms.RadioSelect
    )
    sends_records = forms.TypedChoiceField(
        label=_("Learning records"),
        choices=list(RECORD_CHOICES.items()),
        coerce=lambda value: str(value) == "True",
        widget=forms.RadioSelect,
    )

    class Meta:
        model = Policy
        fields = [
            "mastery", "conversations", "affect", "concerns", "sends_grades", "sends_records", "contact", "guardians",
            "keeps",
        ]  # fmt: skip
        labels = {
            "mastery": _("Progress"),
            "conversations": _("Conversations"),
            "concerns": _("When a pupil may be in danger"),
            "contact": _("Who they can talk to"),
            "guardians": _("Parents and guardians"),
            "keeps": _("How long words are kept"),
        }
        help_texts = {
            "contact": _(
                "Optional. For example, a name and where to find that person. Your pupils can read what you write here."
            )
        }
        widgets = {
            "mastery": forms.RadioSelect,
            "conversations": forms.RadioSelect,
            "concerns": forms.RadioSelect,
            "contact": forms.Textarea(attrs={"rows": 2}),
            "guardians": forms.RadioSelect,
            "keeps": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["contact"].validators.append(validate_storable)
        told = {
            "mastery": PROGRESS_CHOICES,
            "conversations": CONVERSATION_CHOICES,
            "concerns": CONCERN_CHOICES,
            "guardians": GUARDIAN_CHOICES,
            "keeps": KEEPS_CHOICES,
        }
        # What a program leaves out stays as it is.
        self.fields["guardians"].required = self.fields["keeps"].required = False
        for name, choices in told.items():
            self.fields[name].choices = list(choices.items())  # type: ignore[attr-defined]
        self._leave_out_what_goes_nowhere()

    def _leave_out_what_goes_nowhere(self) -> None:
        """Ask about grades only in a class from a learning platform, and about records only if there is a store."""
        if self.instance.platform:
            choices = [
                (choice, words % {"platform": self.instance.platform}) for choice, words in GRADE_CHOICES.items()
            ]
            self.fields["sends_grades"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["sends_grades"]
        if not settings.XAPI_ENDPOINT:
            del self.fields["sends_records"]
