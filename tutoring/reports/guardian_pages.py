"""A pupil's monthly page for a guardian: what was learned, in plain words, and nothing else."""

from dataclasses import dataclass
from datetime import date

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.people import zone_named
from tutoring.access import not_found_text
from tutoring.models import Attempt, Concept, GuardianAccess, Mastery, Membership
from tutoring.pages.contexts.road import road_of
from tutoring.reports.class_figures import class_figures
from tutoring.reports.periods import ReportPeriod, month_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardianPage:
    """What a guardian reads of one pupil and month."""

    name: str
    classroom: str
    month: date
    topics: tuple[str, ...]
    """Topics with answers in the month, in course order."""
    mastered: tuple[str, ...]
    """Topics mastered in the month for the first time."""
    days: int
    minutes: int
    next_topic: str
    question: str
    """A question to ask the pupil at home."""


def place_of_access(access: GuardianAccess) -> Membership:
    """Return the pupil's place, with class and person. Raises Http404 where the class shows guardians nothing now."""
    places = Membership.objects.filter(classroom_id=access.classroom_id, person_id=access.learner_id)
    place = places.filter(role=Membership.Role.LEARNER, classroom__archived_at=None, person__is_active=True)
    found = place.select_related("person", "classroom__policy").first()
    if found is None or not can_have_guardian(found):
        raise Http404(not_found_text())
    return found


def can_have_guardian(place: Membership) -> bool:
    """Tell whether the class has agreed on pages for guardians, and the notice is over for this pupil."""
    since = place.classroom.policy.guardians_from(place.joined_at)
    return since is not None and since <= timezone.now()


def guardian_page(place: Membership, month: date) -> GuardianPage:
    """Return the page of a month, by the pupil's clock."""
    with timezone.override(zone_named(place.person.zone)):
        period = month_of(month)
        figures = class_figures([place], period).pupils[place.person_id]
        topics = _topics(place.person_id, period)
    mastered = _mastered(place.person_id, period)
    next_topic = _next_topic(place, topics)
    return GuardianPage(
        name=str(place.person),
        classroom=place.classroom.name,
        month=period.first,
        topics=tuple(concept.title for concept in topics),
        mastered=tuple(concept.title for concept in mastered),
        days=figures.days,
        minutes=figures.minutes,
        next_topic=next_topic,
        question=_question([*mastered, *topics]),
    )


def last_month(today: date) -> date:
    """Return the first day of the month before."""
    return month_of(month_of(today).previous().first).first


def _topics(learner_id: int, period: ReportPeriod) -> list[Concept]:
    answers = Attempt.objects.filter(
        learner_id=learner_id,
        created_at__gte=period.start,
        created_at__lt=period.end,
        question__concept__course__is_personal=False,
    ).values("question__concept_id")
    rows = Concept.objects.filter(pk__in=answers).select_related("course")
    return list(rows.order_by("course__position", "course__title", "position"))


def _mastered(learner_id: int, period: ReportPeriod) -> list[Concept]:
    rows = Mastery.objects.filter(
        learner_id=learner_id,
        mastered_at__gte=period.start,
        mastered_at__lt=period.end,
        concept__course__is_personal=False,
    ).order_by("mastered_at")
    return [row.concept for row in rows.select_related("concept__course")]


def _next_topic(place: Membership, topics: list[Concept]) -> str:
    """Return what comes next on the way to the pupil's goals in the course they worked on last."""
    road = road_of(place.person, topics[-1].course) if topics else None
    return road.place.title if road is not None and road.place is not None else ""


def _question(concepts: list[Concept]) -> str:
    """Return a question about something that was learned; none without any."""
    if not concepts:
        return ""
    return _("Can you explain “%(topic)s” to me, with an example?") % {"topic": concepts[0].title}
