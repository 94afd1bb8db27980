"""A class's assignments in short: who gets each, who is done, and who can be reminded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from tutoring.assignments.audiences import all_assignments, audience_of, learners_of
from tutoring.assignments.due_days import due_words
from tutoring.assignments.progress import Progress, Sight, sight_of
from tutoring.assignments.progress_records import progress_of
from tutoring.models import Assignment, Classroom, Membership
from tutoring.models.assignments import AssignmentQuerySet

WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentSummary:
    """An assignment and how far its pupils are."""

    assignment: Assignment
    places: Sequence[Membership]
    """Who gets it."""
    progress: dict[int, Progress]
    """By person."""
    now: datetime

    @property
    def sight(self) -> Sight:
        return sight_of(self.assignment)

    @property
    def total(self) -> int:
        return len(self.places)

    @property
    def done(self) -> int:
        """How many have nothing left to do; shown only where the agreement lets teachers see it."""
        return sum(each.is_over for each in self.progress.values())

    @property
    def left(self) -> list[int]:
        """Return the people who still have something to do."""
        return [person for person, each in self.progress.items() if not each.is_over]

    @property
    def percent(self) -> int:
        return round(100 * self.done / self.total) if self.total else 0

    @property
    def due(self) -> str:
        return due_words(self.assignment.due_at, now=self.now)

    @property
    def is_begun(self) -> bool:
        return self.assignment.starts_at <= self.now

    @property
    def is_past(self) -> bool:
        return self.assignment.due_at < self.now

    @property
    def can_remind(self) -> bool:
        """Whether there is somebody to remind. Where progress is hidden, the button is there whoever is done."""
        if self.assignment.withdrawn_at is not None or not self.is_begun or self.assignment.is_live:
            return False
        return bool(self.left) if self.sight != "nothing" else self.total > 0

    @property
    def audience_words(self) -> str:
        """Return who gets it: the class, the names of groups, or how many pupils."""
        if self.assignment.is_for_all:
            return _("Whole class")
        groups = [group.name for group in self.assignment.groups.all()]
        return ", ".join(groups or [str(place.person) for place in self.places]) or _("Nobody")


def summaries_of(
    classroom: Classroom, rows: AssignmentQuerySet, *, now: datetime | None = None
) -> list[AssignmentSummary]:
    """Return these assignments of one class; the number of queries does not grow with them or with its pupils."""
    now = now or timezone.now()
    places = learners_of([classroom])[classroom.pk]
    found = {each: audience_of(each, places) for each in rows.filter(classroom=classroom).with_targets()}
    progress = progress_of({each: [place.person_id for place in own] for each, own in found.items()}, now=now)
    return [
        AssignmentSummary(assignment=each, places=own, progress=progress[each], now=now) for each, own in found.items()
    ]


def due_this_week(classroom: Classroom, *, now: datetime) -> list[AssignmentSummary]:
    """Return what is due from today until in a week, the next first."""
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = all_assignments().filter(withdrawn_at=None, starts_at__lte=now, due_at__gte=today, due_at__lt=today + WEEK)
    return summaries_of(classroom, rows, now=now)
