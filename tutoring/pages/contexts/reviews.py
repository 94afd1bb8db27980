"""Contexts of the review pages."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from math import ceil

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.mastery.records import review_questions, reviews
from tutoring.models import Question, Review
from tutoring.pages.cards.question_context import Context

SECONDS_AN_IDEA = 90
WEEK = timedelta(days=7)


def review_offer(person: Person, *, at: datetime | None = None) -> Context | None:
    """Return how many concepts are due and how long that takes; None if none is. Two queries."""
    return _offer(reviews.due_reviews(person, at=at), review_questions.open_review_question(person))


def review_overview(person: Person, *, at: datetime | None = None) -> Context:
    """Return what is due, and when everything else comes back; two queries."""
    at = at or timezone.now()
    planned = reviews.scheduled_reviews(person, at=at)
    return {
        "review_offer": _offer(
            [row for row in planned if row.due_at <= at], review_questions.open_review_question(person)
        ),
        "planned": [_planned(row, at=at) for row in planned],
    }


def _planned(row: Review, *, at: datetime) -> Context:
    course = row.concept.course
    return {
        "title": row.concept.title,
        "course_title": course.title,
        "evidence_url": reverse("evidence", args=[course.slug, row.concept.slug]),
        "due": row.due_at <= at,
        "when": day_words(timezone.localdate(row.due_at), today=timezone.localdate(at)),
    }


def review_follow_up(person: Person, question: Question, *, at: datetime | None = None) -> Context | None:
    """Return what follows a review question: another one, or the end for today; None while it is open."""
    if question.is_open or question.purpose != reviews.REVIEW:
        return None
    at = at or timezone.now()
    planned = reviews.scheduled_reviews(person, at=at)
    waiting = [row for row in planned if row.due_at <= at]
    later = next((row for row in planned if row.due_at > at), None)
    once_more = review_questions.question_to_repeat(person, at=at) is not None
    is_held = any(row.concept_id == question.concept_id for row in planned)
    return {
        "once_more": once_more,
        "waiting": len(waiting),
        "is_open": review_questions.open_review_question(person) is not None,
        "done": _done_today(person, at),
        "next": day_words(timezone.localdate(later.due_at), today=timezone.localdate(at)) if later else "",
        "practise": None if is_held or once_more else _lesson(question),
    }


def day_words(day: date, *, today: date) -> str:
    """Return a day as in a sentence: today, tomorrow, on Tuesday, on 4 December."""
    if day <= today:
        return _("today")
    if day == today + timedelta(days=1):
        return _("tomorrow")
    if day < today + WEEK:
        return _("on %(day)s") % {"day": date_format(day, "l")}
    return _("on %(day)s") % {"day": date_format(day, "MONTH_DAY_FORMAT" if day.year == today.year else "DATE_FORMAT")}


def _offer(due: Sequence[Review], asked: Question | None) -> Context | None:
    """Offer the due concepts, first the one already asked about, which a wrong try may have lowered."""
    concepts = [*([asked.concept] if asked else []), *(row.concept for row in due)]
    titles = {concept.pk: concept.title for concept in concepts}
    if not titles:
        return None
    minutes = ceil(len(titles) * SECONDS_AN_IDEA / 60)
    return {"count": len(titles), "minutes": minutes, "titles": list(titles.values())}


def _done_today(person: Person, at: datetime) -> int:
    """Return how many concepts were reviewed today, in the person's time zone."""
    morning = timezone.localtime(at).replace(hour=0, minute=0, second=0, microsecond=0)
    over = Question.objects.filter(
        learner_id=person.pk,
        purpose=reviews.REVIEW,
        status=Question.Status.ANSWERED,
        closed_at__gte=morning,
        closed_at__lt=morning + timedelta(days=1),
    )
    return over.values("concept_id").distinct().count()


def _lesson(question: Question) -> Context:
    return {"title": question.concept.title, "url": question.concept.get_absolute_url()}
