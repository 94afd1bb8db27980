"""What a learner may say of how a lesson goes."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.models import Lesson

LEVELS = {
    "": gettext_lazy("As my answers show"),
    Lesson.Level.BEGINNER: gettext_lazy("For a beginner: small steps, things to hold, everyday words"),
    Lesson.Level.INTERMEDIATE: gettext_lazy("In between: fewer steps, more numbers"),
    Lesson.Level.ADVANCED: gettext_lazy("Advanced: short, and with the reasons"),
}
THRESHOLDS = {
    0.75: gettext_lazy("Relaxed: on sooner, with fewer questions"),
    0.85: gettext_lazy("As usual"),
    0.88: gettext_lazy("Thorough: more questions first"),
}
"""Mastery scores from which a lesson goes on, as far as they are offered."""
PACE_READING = {
    "yes": gettext_lazy("Yes: it may go slower or faster by how my messages read, and how long I take"),
    "no": gettext_lazy("No: only by my answers, and by what I say myself of how it goes"),
}
OUT_OF_RANGE = gettext_lazy("Choose a number from 0 to 1. Nothing was changed.")


class LessonSettingsForm(forms.Form):
    """The level to explain at, empty for the one the answers show, the mastery score (0–1) from which to go on, and whether
    how it goes may be made out from messages.
    """

    own_level = forms.ChoiceField(
        label=gettext_lazy("How it is explained"),
        required=False,
        choices=list(LEVELS.items()),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("There is no such level. Nothing was changed.")},
    )
    threshold = forms.FloatField(
        label=gettext_lazy("How sure before it goes on"),
        min_value=0,
        max_value=1,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), OUT_OF_RANGE),
    )

    reads_pace = forms.ChoiceField(
        label=gettext_lazy("Whether the tutor makes out how it goes"),
        required=False,
        choices=list(PACE_READING.items()),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("There is no such choice. Nothing was changed.")},
    )

    def __init__(self, *args: Any, present: float, **kwargs: Any) -> None:
        """`present` is the score in force: it can be kept, whatever it is."""
        super().__init__(*args, **kwargs)
        offered = {present: _("As it is now"), **THRESHOLDS}
        self.fields["threshold"].widget.choices = [
            (score, f"{words} ({score:.2f})") for score, words in sorted(offered.items())
        ]
