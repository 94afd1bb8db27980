"""What a person's answers show about their learning. Every statement can be computed again from the answers it links to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.panel.facts import LearningHistory
from conversations.panel.results import Connection, Insight
from tutoring.mastery.records.reviews import due_reviews
from tutoring.models import Attempt, Mastery

LEAST_ANSWERS: Final = 5
"""Answers without help in which a pattern may be seen; fewer say nothing."""
LEAST_OF_AN_IDEA: Final = 2
"""Answers that show the same wrong idea."""
PATTERN_DAYS: Final = 60
"""Older answers may be about ideas that are long corrected. Chosen by hand, as the limits below."""
TREND_DAYS: Final = 7
LEAST_CHANGE: Final = 0.1
"""Change of the share of right answers that is worth a sentence."""


def learning_history(learner_id: int, *, at: datetime | None = None) -> LearningHistory:
    """Return what the learner's answers of the last 60 days show, and what would have to be there to say more."""
    now = at or timezone.now()
    rows = Attempt.objects.filter(learner_id=learner_id, created_at__gte=now - timedelta(days=PATTERN_DAYS))
    counted = rows.filter(assisted=False).exclude(change__left_out=True)
    related = counted.select_related("question__concept__course").defer("question__concept__course__content")
    answers = list(related.order_by("created_at", "pk"))
    if len(answers) < LEAST_ANSWERS:
        return LearningHistory(missing=_missing(len(answers)))
    held = Mastery.objects.filter(learner_id=learner_id).select_related("concept__course")
    masteries = list(held.defer("concept__course__content"))
    insights = [*_wrong_ideas(answers), *_strengths(masteries), *_trend(answers, now)]
    linked = list(_weak_foundations(masteries))
    insights += [each for each, _connection in linked]
    insights.sort(key=lambda each: -(each.importance or 0))
    return LearningHistory(
        insights=tuple(insights),
        connections=tuple(connection for _insight, connection in linked),
        next_steps=tuple(_next_steps(learner_id, now)),
        missing="" if insights else _("Your answers show no pattern yet. A few more on the same topic will tell more."),
    )


def _missing(count: int) -> str:
    had = ngettext(
        "So far, there is %(count)d answer without help.", "So far, there are %(count)d answers without help.", count
    )
    said = _("I can’t see any pattern yet. %(had)s From %(least)d on, I can tell you what they show.")
    return said % {"had": had % {"count": count}, "least": LEAST_ANSWERS}


def _wrong_ideas(answers: Sequence[Attempt]) -> Iterator[Insight]:
    """Yield the wrong idea that most answers show, if several do."""
    wrong = [each for each in answers if not each.correct]
    ideas = Counter((each.question.concept.course_id, idea) for each in wrong for idea in each.misconceptions[:1])
    (course_id, idea), count = next(iter(ideas.most_common(1)), ((0, ""), 0))
    showing = [
        each for each in wrong if each.question.concept.course_id == course_id and idea in each.misconceptions[:1]
    ]
    known = showing[-1].question.concept.course.catalogue().misconceptions.get(idea) if showing else None
    if known is not None and count >= LEAST_OF_AN_IDEA:
        said = _("%(count)d of your %(wrong)d wrong answers come from one wrong idea: *%(idea)s*")
        yield Insight(
            type="pattern",
            description=said % {"count": count, "wrong": len(wrong), "idea": known.says},
            evidence=tuple(_answer_link(each) for each in showing),
            importance=round(count / len(wrong), 3),
        )


def _strengths(masteries: Sequence[Mastery]) -> Iterator[Insight]:
    scored = [(each.score, each) for each in masteries if each.score is not None]
    if not scored:
        return
    score, best = max(scored, key=lambda each: (each[0] or 0, each[1].pk))
    said = _("Your strongest topic is *%(concept)s*, with a score of %(score)s from %(count)d answers.")
    names = {"concept": best.concept.title, "score": f"{score:.0%}", "count": best.answers}
    yield Insight(
        type="pattern", description=said % names, evidence=(_topic_link(best),), importance=round(score or 0, 3)
    )


def _trend(answers: Sequence[Attempt], now: datetime) -> Iterator[Insight]:
    """Yield how the share of right answers has changed from last week to this one, if both weeks have enough answers."""
    week = timedelta(days=TREND_DAYS)
    latest = [each for each in answers if each.created_at >= now - week]
    before = [each for each in answers if now - 2 * week <= each.created_at < now - week]
    if min(len(latest), len(before)) < LEAST_ANSWERS:
        return
    shares = [sum(each.correct for each in part) / len(part) for part in (before, latest)]
    if abs(change := shares[1] - shares[0]) < LEAST_CHANGE:
        return
    said = _("You answer more questions right: %(now)s of this week’s, after %(before)s the week before.")
    if change < 0:
        said = _("You answer fewer questions right: %(now)s of this week’s, after %(before)s the week before.")
    yield Insight(
        type="trend",
        description=said % {"now": f"{shares[1]:.0%}", "before": f"{shares[0]:.0%}"},
        evidence=tuple(_answer_link(each) for each in (*before, *latest)),
        importance=round(abs(change), 3),
    )


def _weak_foundations(masteries: Sequence[Mastery]) -> Iterator[tuple[Insight, Connection]]:
    """Yield the topics that are harder than they need be: one that they build on has a lower score."""
    by_topic = {(each.concept.course_id, each.concept.slug): each for each in masteries if each.score is not None}
    for (course_id, slug), row in by_topic.items():
        content = next((each for each in row.concept.course.catalogue().concepts if each.id == slug), None)
        for needed in content.requires if content else ():
            below = by_topic.get((course_id, needed))
            if below is None or below.score is None or row.score is None or below.score >= row.score:
                continue
            names = {"concept": row.concept.title, "needed": below.concept.title, "score": f"{below.score:.0%}"}
            said = _("*%(concept)s* builds on *%(needed)s*, where your score is only %(score)s.") % names
            strength = round(row.score - below.score, 3)
            yield (
                Insight(
                    type="connection",
                    description=said,
                    evidence=(_topic_link(row), _topic_link(below)),
                    importance=strength,
                ),
                Connection(
                    concept_a=row.concept.title,
                    concept_b=below.concept.title,
                    relationship=_("%(concept)s builds on %(needed)s.") % names,
                    strength=None,
                ),
            )


def _next_steps(learner_id: int, now: datetime) -> Iterator[str]:
    due = due_reviews(get_user_model()._base_manager.get(pk=learner_id), at=now)
    if due:
        said = ngettext("[One topic](/) is due for a review.", "[%(count)d topics](/) are due for a review.", len(due))
        yield said % {"count": len(due)}


def _answer_link(attempt: Attempt) -> str:
    concept = attempt.question.concept
    day = date_format(timezone.localtime(attempt.created_at), "j F")
    return f"[{concept.title}, {day}]({concept.evidence_url(answer=attempt.pk)})"


def _topic_link(row: Mastery) -> str:
    return f"[{row.concept.title}]({row.concept.evidence_url()})"
