"""What a set of answers shows: patterns, a trend, connections. Each is counted from the answers that it names."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from conversations.panel.results import Connection
from conversations.search.quoted_sources import emphasize
from tutoring.insights.counted_answers import AnswerInsight
from tutoring.models import Attempt, Concept

# All limits are chosen by hand.
LEAST_ANSWERS: Final = 5
"""Answers without help in which a pattern may be seen; fewer say nothing."""
LEAST_OF_AN_IDEA: Final = 2
"""Answers that show the same wrong idea."""
LEAST_ON_A_TOPIC: Final = 3
"""Answers on a topic that show how it went."""
WENT_WELL: Final = 0.8
"""Share of right answers from which a topic went well."""
WAS_HARD: Final = 0.5
"""Share of right answers up to which a topic was hard."""
LEAST_CHANGE: Final = 0.1
"""Change of the share of right answers that is worth a sentence."""


def find_patterns(answers: Sequence[Attempt], *, least: int = LEAST_ANSWERS) -> list[AnswerInsight]:
    """Return the patterns and connections in the answers; empty if there are fewer than `least`."""
    if len(answers) < least:
        return []
    topics = _by_topic(answers)
    connections = list(_weak_foundations(topics))
    # A connection names the hard topics anyway.
    hard = [] if connections else list(_hardest_topic(topics))
    return [*find_wrong_idea(answers), *_best_topic(topics), *hard, *connections]


def _by_idea(wrong: Sequence[Attempt]) -> Mapping[tuple[int, str], list[Attempt]]:
    """Return the answers by course and the first misconception that they show."""
    by_idea: dict[tuple[int, str], list[Attempt]] = defaultdict(list)
    for each in wrong:
        for idea in each.misconceptions[:1]:
            by_idea[each.question.concept.course_id, idea].append(each)
    return by_idea


def find_wrong_idea(answers: Sequence[Attempt]) -> Iterator[AnswerInsight]:
    """Yield the wrong idea that most answers show, if several do. Its importance is its share of the wrong answers."""
    wrong = [each for each in answers if not each.correct]
    by_idea = _by_idea(wrong)
    if not by_idea:
        return
    (_course, idea), showing = max(by_idea.items(), key=lambda found: len(found[1]))
    known = showing[-1].question.concept.course.catalogue().misconceptions.get(idea)
    if known is not None and len(showing) >= LEAST_OF_AN_IDEA:
        said = _("%(count)d of your wrong answers come from the same wrong idea: %(idea)s")
        yield AnswerInsight(
            type="pattern",
            description=said % {"count": len(showing), "idea": emphasize(known.says)},
            answers=showing,
            importance=round(len(showing) / len(wrong), 3),
        )


def find_trend(
    before: Sequence[Attempt], latest: Sequence[Attempt], *, rose: str, fell: str
) -> Iterator[AnswerInsight]:
    """Yield how the share of right answers changed, if both parts have enough answers. Its importance is the change.

    `rose` and `fell` are the sentences, with `right` of `count` answers as `now`, and the same of before: `right_before`,
    `count_before`, `before`.
    """
    if min(len(latest), len(before)) < LEAST_ANSWERS:
        return
    change = _share_right(latest) - _share_right(before)
    if abs(change) >= LEAST_CHANGE:
        yield AnswerInsight(
            type="trend",
            description=(rose if change > 0 else fell) % _trend_figures(before, latest),
            answers=[*before, *latest],
            importance=round(abs(change), 3),
        )


def builds_on(concept: Concept, needed: Concept) -> Connection:
    """Return the connection between a topic and one that it builds on."""
    names = {"concept": concept.title, "needed": needed.title}
    said = _("%(concept)s builds on %(needed)s.") % names
    return Connection(concept_a=concept.title, concept_b=needed.title, relationship=said)


def _best_topic(topics: Mapping[Concept, Sequence[Attempt]]) -> Iterator[AnswerInsight]:
    """Yield the topic with the largest share of right answers. This share is its importance."""
    went_well = {concept: each for concept, each in topics.items() if _share_right(each) >= WENT_WELL}
    if went_well:
        concept, answers = max(went_well.items(), key=lambda found: (_share_right(found[1]), len(found[1])))
        said = _("%(concept)s went well: you got %(right)d of %(count)d answers right without help.")
        yield AnswerInsight(
            type="pattern",
            description=said % {"concept": emphasize(concept.title), **_figures(answers)},
            answers=answers,
            importance=round(_share_right(answers), 3),
        )


def _hardest_topic(topics: Mapping[Concept, Sequence[Attempt]]) -> Iterator[AnswerInsight]:
    """Yield the topic with the smallest share of right answers. Its importance is the share of wrong ones."""
    hard = _hard_ones(topics)
    if hard:
        concept, answers = min(hard.items(), key=lambda found: (_share_right(found[1]), -len(found[1])))
        said = _("%(concept)s was hard: you got %(right)d of %(count)d answers right without help.")
        yield AnswerInsight(
            type="pattern",
            description=said % {"concept": emphasize(concept.title), **_figures(answers)},
            answers=answers,
            importance=round(1 - _share_right(answers), 3),
        )


def _weak_foundations(topics: Mapping[Concept, Sequence[Attempt]]) -> Iterator[AnswerInsight]:
    """Yield each hard topic that builds on another hard one. Its importance is the other's share of wrong answers."""
    hard = _hard_ones(topics)
    by_slug = {(concept.course_id, concept.slug): concept for concept in hard}
    for concept, answers in hard.items():
        for slug in concept.course.catalogue().requires.get(concept.slug, ()):
            needed = by_slug.get((concept.course_id, slug))
            if needed is None:
                continue
            said = _(
                "%(concept)s builds on %(needed)s, and both were hard. You got %(right)d of %(count)d questions right on "
                "%(concept)s, and %(right_needed)d of %(count_needed)d on %(needed)s."
            )
            names = {"concept": emphasize(concept.title), "needed": emphasize(needed.title)}
            yield AnswerInsight(
                type="connection",
                description=said % {**names, **_figures(answers), **_figures(hard[needed], suffix="_needed")},
                answers=[*answers, *hard[needed]],
                importance=round(1 - _share_right(hard[needed]), 3),
                connects=(concept, needed),
            )


def _by_topic(answers: Sequence[Attempt]) -> dict[Concept, list[Attempt]]:
    """Return the topics with enough answers, each with its own."""
    topics: dict[Concept, list[Attempt]] = defaultdict(list)
    for each in answers:
        topics[each.question.concept].append(each)
    return {concept: each for concept, each in topics.items() if len(each) >= LEAST_ON_A_TOPIC}


def _hard_ones(topics: Mapping[Concept, Sequence[Attempt]]) -> dict[Concept, Sequence[Attempt]]:
    return {concept: each for concept, each in topics.items() if _share_right(each) <= WAS_HARD}


def _share_right(answers: Sequence[Attempt]) -> float:
    return sum(each.correct for each in answers) / len(answers)


def _figures(answers: Sequence[Attempt], *, suffix: str = "") -> dict[str, int]:
    return {f"right{suffix}": sum(each.correct for each in answers), f"count{suffix}": len(answers)}


def _trend_figures(before: Sequence[Attempt], latest: Sequence[Attempt]) -> dict[str, int | str]:
    shares = {"now": f"{_share_right(latest):.0%}", "before": f"{_share_right(before):.0%}"}
    return {**shares, **_figures(latest), **_figures(before, suffix="_before")}
