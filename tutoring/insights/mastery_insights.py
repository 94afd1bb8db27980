"""What a person's scores show: their strongest topic, and topics that build on weaker ones."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from conversations.panel.results import Connection, Insight
from tutoring.insights.patterns import builds_on
from tutoring.models import Mastery


def find_strength(masteries: Sequence[Mastery]) -> Iterator[Insight]:
    """Yield the topic with the highest score, which is its importance."""
    scored = [(each.score, each) for each in masteries if each.score is not None]
    if not scored:
        return
    score, best = max(scored, key=lambda each: (each[0] or 0, each[1].pk))
    said = _("Your strongest topic is *%(concept)s*, with a score of %(score)s from %(count)d answers.")
    names = {"concept": best.concept.title, "score": f"{score:.0%}", "count": best.answers}
    yield Insight(
        type="pattern", description=said % names, evidence=(_topic_link(best),), importance=round(score or 0, 3)
    )


def find_weaker_foundations(masteries: Sequence[Mastery]) -> Iterator[tuple[Insight, Connection]]:
    """Yield the topics that are harder than they need be: one that they build on has a lower score."""
    by_topic = {(each.concept.course_id, each.concept.slug): each for each in masteries if each.score is not None}
    for (course_id, slug), row in by_topic.items():
        for needed in row.concept.course.catalogue().requires.get(slug, ()):
            below = by_topic.get((course_id, needed))
            if below is None or below.score is None or row.score is None or below.score >= row.score:
                continue
            names = {"concept": row.concept.title, "needed": below.concept.title, "score": f"{below.score:.0%}"}
            insight = Insight(
                type="connection",
                description=_("*%(concept)s* builds on *%(needed)s*, where your score is only %(score)s.") % names,
                evidence=(_topic_link(row), _topic_link(below)),
                importance=round(row.score - below.score, 3),
            )
            yield insight, builds_on(row.concept, below.concept)


def _topic_link(row: Mastery) -> str:
    return f"[{row.concept.title}]({row.concept.evidence_url()})"
