"""The settings of a learner's own lesson."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.models import Lesson

LEVELS = {
    "": gettext_lazy("Based on my answers"),
    Lesson.Level.BEGINNER: gettext_lazy("Beginner: small steps, hands-on examples, everyday words"),
    Lesson.Level.INTERMEDIATE: gettext_lazy("Intermediate: fewer steps, more numbers"),
    Lesson.Level.ADVANCED: gettext_lazy("Advanced: short explanations, with reasons"),
}
THRESHOLDS = {
    0.75: gettext_lazy("Relaxed: move on sooner, with fewer questions"),
    0.85: gettext_lazy("Normal"),
    0.88: gettext_lazy("Thorough: more questions before moving on"),
}
"""The mastery scores that are offered as thresholds."""
PACE_READING = {
    "yes": gettext_lazy("Yes: go slower or faster based on how my messages sound and how long I take"),
    "no": gettext_lazy("No: use only my answers and what I say about how it’s going"),
}
OUT_OF_RANGE = gettext_lazy("Choose a number from 0 to 1. Nothing was changed.")


class LessonSettingsForm(forms.Form):
    """The level to explain at (empty for the one the answers show), the mastery score (0–1) from which to go on, and whether
    the pace may be estimated from messages.
    """

    own_level = forms.ChoiceField(
        label=gettext_lazy("How topics are explained"),
        required=False,
        choices=list(LEVELS.items()),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("This level does not exist. Nothing was changed.")},
    )
    threshold = forms.FloatField(
        label=gettext_lazy("How sure the tutor should be before moving on"),
        min_value=0,
        max_value=1,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), OUT_OF_RANGE),
    )

    reads_pace = forms.ChoiceField(
        label=gettext_lazy("Should the tutor adapt to your mood?"),
        required=False,
        choices=list(PACE_READING.items()),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("This choice does not exist. Nothing was changed.")},
    )

    def __init__(self, *args: Any, present: float, **kwargs: Any) -> None:
        """`present` is the current threshold: it can be kept, whatever it is."""
        super().__init__(*args, **kwargs)
        offered = {present: _("Current setting"), **THRESHOLDS}
        self.fields["threshold"].widget.choices = [
            (score, f"{words} ({score:.0%})") for score, words in sorted(offered.items())
        ]
