"""Forms of a task, an event, a meal and a note."""

from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tutoring.models import CalendarEvent, Meal, Task
from tutoring.models.planner import (
    HIGHEST_PRIORITY,
    HIGHEST_RATING,
    LOWEST_RATING,
    NO_PRIORITY,
    NOTES_MAX_LENGTH,
    RULE_MAX_LENGTH,
    TITLE_MAX_LENGTH,
)
from tutoring.planner.pages.forms.fields import ClockField, DayField, moment, words_in
from tutoring.planner.times.recurrence import validate_rule

PRIORITIES: Final = ((NO_PRIORITY, _("none")), (1, _("low")), (2, _("medium")), (HIGHEST_PRIORITY, _("high")))
REMIND_BEFORE: Final = (
    ("", _("no reminder")),
    ("0", _("when it begins")),
    ("10", _("10 minutes before")),
    ("30", _("30 minutes before")),
    ("60", _("1 hour before")),
    ("1440", _("1 day before")),
)
RECURRENCES: Final = (
    ("", _("once")),
    ("FREQ=DAILY", _("every day")),
    ("FREQ=WEEKLY", _("every week")),
    ("FREQ=WEEKLY;INTERVAL=2", _("every two weeks")),
    ("FREQ=MONTHLY", _("every month")),
    ("FREQ=YEARLY", _("every year")),
)
LONGEST: Final = timedelta(days=31)
EVENT_FIELDS: Final = ("title", "kind", "place", "remind_before", "rule", "notes")


def _text(label: Any, *, longest: int, required: bool = True, rows: int = 0, **kwargs: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows}) if rows else forms.TextInput(attrs={"autocomplete": "off"})
    return forms.CharField(label=label, max_length=longest, required=required, widget=widget, **kwargs)


class TaskForm(forms.Form):
    """A task; its times are in the zone in force."""

    title = _text(_("What is to be done?"), longest=TITLE_MAX_LENGTH)
    kind = forms.ChoiceField(label=_("Kind"), choices=Task.Kind.choices)
    priority = forms.TypedChoiceField(label=_("Priority"), choices=PRIORITIES, coerce=int)
    due_on = DayField(label=_("Due"), required=False)
    due_time = ClockField(label=_("at"), required=False)
    remind_on = DayField(label=_("Remind me"), required=False)
    remind_time = ClockField(label=_("at"), required=False)
    notes = _text(_("Notes"), longest=NOTES_MAX_LENGTH, required=False, rows=3)

    @classmethod
    def initial_of(cls, task: Task) -> dict[str, Any]:
        due = timezone.localtime(task.due_at) if task.due_at else None
        remind = timezone.localtime(task.remind_at) if task.remind_at else None
        return {
            "title": task.title,
            "kind": task.kind,
            "priority": task.priority,
            "due_on": task.due_on,
            "due_time": due.time() if due else None,
            "remind_on": remind.date() if remind else None,
            "remind_time": remind.time() if remind else None,
            "notes": task.notes,
        }

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        for day, clock in (("due_on", "due_time"), ("remind_on", "remind_time")):
            if data.get(clock) and not data.get(day) and day not in self.errors:
                self.add_error(day, _("Choose the day, too."))
        if data.get("remind_on") and not data.get("remind_time") and "remind_time" not in self.errors:
            self.add_error("remind_time", _("Choose the time, too."))
        return data

    def fields_of_row(self) -> dict[str, Any]:
        """Return the fields of the task, from valid data."""
        data, zone = self.cleaned_data, timezone.get_current_timezone()
        due_at = moment(data["due_on"], data["due_time"], zone) if data["due_time"] else None
        remind_at = moment(data["remind_on"], data["remind_time"], zone) if data["remind_on"] else None
        kept = {name: data[name] for name in ("title", "kind", "priority", "due_on", "notes")}
        return kept | {"due_at": due_at, "remind_at": remind_at}


class EventForm(forms.Form):
    """An event; its times are in the event's zone."""

    title = _text(_("What is it?"), longest=TITLE_MAX_LENGTH)
    kind = forms.ChoiceField(label=_("Kind"), choices=CalendarEvent.Kind.choices)
    place = _text(_("Where?"), longest=TITLE_MAX_LENGTH, required=False)
    remind_before = forms.TypedChoiceField(
        label=_("Reminder"), choices=REMIND_BEFORE, coerce=int, empty_value=None, required=False
    )
    rule = forms.CharField(label=_("Recurs"), max_length=RULE_MAX_LENGTH, required=False, widget=forms.Select)
    notes = _text(_("Notes"), longest=NOTES_MAX_LENGTH, required=False, rows=3)

    def __init__(self, *args: Any, event: CalendarEvent, **kwargs: Any) -> None:
        kwargs["initial"] = {name: getattr(event, name) for name in EVENT_FIELDS}
        super().__init__(*args, **kwargs)
        known = [value for value, _words in RECURRENCES]
        # A rule of its own, such as one from another calendar, stays as it is unless another one is chosen.
        own = [] if event.rule in known else [(event.rule, _("as it is now"))]
        select: Any = self.fields["rule"].widget
        select.choices = [*own, *RECURRENCES]
        if event.series_id is not None:
            del self.fields["rule"]
        before: Any = self.fields["remind_before"]
        if event.remind_before is not None and str(event.remind_before) not in dict(REMIND_BEFORE):
            before.choices = [*REMIND_BEFORE, (str(event.remind_before), _("as it is now"))]

    def clean_rule(self) -> str:
        try:
            return validate_rule(self.cleaned_data["rule"])
        except ValueError as error:
            raise ValidationError(str(error), code="rule") from None


class MoveForm(forms.Form):
    """Another time for an event: a day, a time of day, and for how long."""

    day = DayField(label=_("Day"))
    clock = ClockField(label=_("From"), required=False)
    until = ClockField(label=_("To"), required=False)

    def span(self, *, length: timedelta, is_all_day: bool, zone: Any, was: datetime) -> tuple[datetime, datetime]:
        """Return start and end, from valid data; without a time of day it stays what it was.

        A time to which it lasts that is before its start is of the next day.
        """
        data = self.cleaned_data
        clock = None if is_all_day else data["clock"] or was.astimezone(zone).time()
        start = moment(data["day"], clock, zone)
        if is_all_day:
            days = max(1, round(length / timedelta(days=1)))
            return start, moment(data["day"] + timedelta(days=days), None, zone)
        if data["until"]:
            end = moment(data["day"], data["until"], zone)
            return start, end if end > start else moment(data["day"] + timedelta(days=1), data["until"], zone)
        return start, start + length


class MealForm(forms.Form):
    """A meal, eaten or planned."""

    foods = _text(_("What is it?"), longest=1000, help_text=_("Separate the foods by commas: pasta, salad."))
    kind = forms.ChoiceField(label=_("Meal"), choices=Meal.Kind.choices)
    day = DayField(label=_("Day"))
    clock = ClockField(label=_("Time"))
    rating = forms.TypedChoiceField(
        label=_("How did you like it?"),
        choices=[("", _("no rating")), *((str(n), str(n)) for n in range(LOWEST_RATING, HIGHEST_RATING + 1))],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("5 is best."),
    )
    tags = _text(_("Tags"), longest=500, required=False, help_text=_("Separate tags by commas: quick, with friends."))
    is_planned = forms.BooleanField(label=_("This meal is only planned"), required=False)
    notes = _text(_("Notes"), longest=NOTES_MAX_LENGTH, required=False, rows=2)

    @classmethod
    def initial_of(cls, meal: Meal) -> dict[str, Any]:
        at = timezone.localtime(meal.eaten_at)
        kept = {name: getattr(meal, name) for name in ("kind", "rating", "is_planned", "notes")}
        lists = {"foods": ", ".join(meal.foods), "tags": ", ".join(meal.tags)}
        return kept | lists | {"day": at.date(), "clock": at.time()}

    def clean_foods(self) -> list[str]:
        foods = words_in(self.cleaned_data["foods"], longest=100)
        if not foods:
            raise ValidationError(_("Write at least one food."), code="required")
        return foods

    def clean_tags(self) -> list[str]:
        return words_in(self.cleaned_data["tags"].replace("#", ""))

    def fields_of_row(self) -> dict[str, Any]:
        """Return the fields of the meal, from valid data."""
        data = self.cleaned_data
        at = moment(data["day"], data["clock"], timezone.get_current_timezone())
        return {"eaten_at": at} | {name: data[name] for name in self.fields if name not in ("day", "clock")}


class NoteForm(forms.Form):
    text = _text(_("What should be remembered?"), longest=NOTES_MAX_LENGTH, rows=4)
