"""How a learner gets on with their goal: what is left, the pace of the last weeks, and the day of the goal."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from typing import Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.models import Course, Goal

type Standing = Literal["ahead", "behind", "past", "open"]

WEEKS_LOOKED_AT: Final = 4
FEWEST_FOR_PACE: Final = 2
"""Topics mastered in those weeks, and different days on which they were, from which a pace can be told."""
WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalPace:
    """The pace toward a goal."""

    left: int
    """Topics that still have their lesson."""
    recent: int
    """Topics mastered in the last four weeks."""
    due_on: date | None
    today: date
    days: int = FEWEST_FOR_PACE
    """Different days on which topics were mastered in the last four weeks."""

    @property
    def days_left(self) -> int | None:
        return (self.due_on - self.today).days if self.due_on else None

    @property
    def needed(self) -> int | None:
        """Topics a week that reach the goal in time, rounded up; None without a day or after it."""
        if self.days_left is None or self.days_left < 0:
            return None
        return ceil(self.left * 7 / max(7, self.days_left))

    @property
    def weeks(self) -> int | None:
        """Weeks until the goal at the pace of the last four weeks; None where that is too little to tell."""
        if not self.left or min(self.recent, self.days) < FEWEST_FOR_PACE:
            return None
        return ceil(self.left * WEEKS_LOOKED_AT / self.recent)

    @property
    def standing(self) -> Standing:
        if self.days_left is None:
            return "open"
        if self.days_left < 0:
            return "past"
        return "ahead" if self.recent * self.days_left >= self.left * WEEKS_LOOKED_AT * 7 else "behind"


def goal_pace(mastered: Sequence[date], *, left: int, due_on: date | None, today: date) -> GoalPace:
    """Return the pace, from the days on which topics were mastered."""
    since = today - WEEKS_LOOKED_AT * WEEK
    recent = [day for day in mastered if day > since]
    return GoalPace(left=left, recent=len(recent), due_on=due_on, today=today, days=len(set(recent)))


def due_day(person: Person, course: Course) -> date | None:
    """Return the first day by which the person wants to reach one of their goals in the course; one query."""
    days = Goal.objects.open().filter(learner_id=person.pk, concept__course=course, due_on__isnull=False)
    return days.order_by("due_on").values_list("due_on", flat=True).first()


def pace_words(pace: GoalPace) -> str:
    """Return what is left in one or two sentences."""
    left = ngettext("%(count)d topic to go.", "%(count)d topics to go.", pace.left) % {"count": pace.left}
    if pace.weeks is None:
        return left
    weeks = ngettext(
        "At your pace, that will take about %(count)d week.",
        "At your pace, that will take about %(count)d weeks.",
        pace.weeks,
    )
    return f"{left} {weeks % {'count': pace.weeks}}"


def date_words(pace: GoalPace) -> str:
    """Return how the day of the goal can be kept; empty without one."""
    if pace.days_left is None or not pace.left:
        return ""
    if pace.standing == "past":
        return _("The day you set for your goal has passed. You can set another one.")
    if pace.days_left == 0:
        return _("Today is the day you set for your goal.")
    days = ngettext("Your goal is due in %(count)d day", "Your goal is due in %(count)d days", pace.days_left)
    days %= {"count": pace.days_left}
    if pace.standing == "ahead":
        return _("%(days)s, and you are on track.") % {"days": days}
    needed = ngettext(
        "about %(count)d topic a week will get you there",
        "about %(count)d topics a week will get you there",
        pace.needed or 0,
    )
    return f"{days}: {needed % {'count': pace.needed}}."
