"""What a person is told about their learning when they ask in a conversation."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person, zone_named
from conversations.panel.facts import LearningHistory
from tutoring.insights.calendar_periods import CalendarTimeframe, period_at
from tutoring.insights.counted_answers import AnswerInsight, answers_without_help, to_insight
from tutoring.insights.mastery_insights import find_strength, find_weaker_foundations
from tutoring.insights.patterns import LEAST_ANSWERS, builds_on, find_trend, find_wrong_idea
from tutoring.insights.period_insights import insights_of_period
from tutoring.mastery.records.reviews import due_reviews
from tutoring.models import Attempt, Mastery

PATTERN_DAYS: Final = 60
"""Older answers may be about ideas that are long corrected. Chosen by hand."""
WEEK: Final = timedelta(days=7)


def learning_history(person: Person, *, at: datetime | None = None) -> LearningHistory:
    """Return what the person's answers of the last 60 days show, and what would have to be there to say more."""
    now, zone = at or timezone.now(), zone_named(person.zone)
    since = now - timedelta(days=PATTERN_DAYS)
    answers = list(answers_without_help(person.pk).filter(created_at__gte=since))
    if len(answers) < LEAST_ANSWERS:
        return LearningHistory(missing=_too_few(_given_so_far(len(answers))))
    held = Mastery.objects.filter(learner_id=person.pk).select_related("concept__course")
    masteries = list(held.defer("concept__course__content"))
    found = [*find_wrong_idea(answers), *_latest_trend(answers, now)]
    linked = list(find_weaker_foundations(masteries))
    insights = [*(to_insight(each, zone=zone) for each in found), *find_strength(masteries)]
    insights += [each for each, _connection in linked]
    insights.sort(key=lambda each: -(each.importance or 0))
    return LearningHistory(
        insights=tuple(insights),
        connections=tuple(connection for _insight, connection in linked),
        next_steps=tuple(_next_steps(person, now)),
        missing="" if insights else _("Your answers don’t show a pattern yet. More answers on one topic may show one."),
    )


def period_history(person: Person, timeframe: CalendarTimeframe, *, at: datetime | None = None) -> LearningHistory:
    """Return what the person's answers of this week or month show so far, and what is missing to say more."""
    now, zone = at or timezone.now(), zone_named(person.zone)
    found = insights_of_period(person.pk, period_at(now, timeframe=timeframe, zone=zone))
    if found.answers < LEAST_ANSWERS:
        return LearningHistory(missing=_too_few(_given_in_period(found.answers, timeframe)))
    return LearningHistory(
        insights=tuple(to_insight(each, zone=zone) for each in found.insights),
        connections=tuple(builds_on(*each.connects) for each in found.insights if each.connects),
        next_steps=tuple(_next_steps(person, now)),
        missing="" if found.insights else _no_pattern(timeframe),
    )


def _too_few(given: str) -> str:
    said = _(
        "I can’t see a pattern yet. %(given)s Once you have given %(least)d answers without help, "
        "I can tell you what they show."
    )
    return said % {"given": given, "least": LEAST_ANSWERS}


def _given_so_far(count: int) -> str:
    if not count:
        return _("You haven’t given any answers without help yet.")
    said = ngettext(
        "So far, you have given %(count)d answer without help.",
        "So far, you have given %(count)d answers without help.",
        count,
    )
    return said % {"count": count}


def _given_in_period(count: int, timeframe: CalendarTimeframe) -> str:
    if not count and timeframe == "month":
        return _("You haven’t given any answers without help this month yet.")
    if not count:
        return _("You haven’t given any answers without help this week yet.")
    said = ngettext(
        "So far this week, you have given %(count)d answer without help.",
        "So far this week, you have given %(count)d answers without help.",
        count,
    )
    if timeframe == "month":
        said = ngettext(
            "So far this month, you have given %(count)d answer without help.",
            "So far this month, you have given %(count)d answers without help.",
            count,
        )
    return said % {"count": count}


def _no_pattern(timeframe: CalendarTimeframe) -> str:
    if timeframe == "month":
        return _("Your answers this month don’t show a pattern yet. A few more on the same topic may show one.")
    return _("Your answers this week don’t show a pattern yet. A few more on the same topic may show one.")


def _latest_trend(answers: Sequence[Attempt], now: datetime) -> Iterator[AnswerInsight]:
    """Yield how the share of right answers has changed in seven days, if it has."""
    latest = [each for each in answers if each.created_at >= now - WEEK]
    before = [each for each in answers if now - 2 * WEEK <= each.created_at < now - WEEK]
    rose = _(
        "In the last seven days, you got %(now)s of your answers right (%(right)d of %(count)d), up from %(before)s "
        "(%(right_before)d of %(count_before)d) in the seven days before that."
    )
    fell = _(
        "In the last seven days, you got %(now)s of your answers right (%(right)d of %(count)d), down from %(before)s "
        "(%(right_before)d of %(count_before)d) in the seven days before that."
    )
    return find_trend(before, latest, rose=rose, fell=fell)


def _next_steps(person: Person, now: datetime) -> Iterator[str]:
    due = due_reviews(person, at=now)
    if due:
        said = ngettext("[One topic](/) is due for review.", "[%(count)d topics](/) are due for review.", len(due))
        yield said % {"count": len(due)}
