"""Composes a summary: a few sentences made from its facts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.search.quoted_sources import emphasize
from conversations.summaries.facts import SummaryFacts

TOPICS_AT_MOST: Final = 4
"""How many topics are named, the latest ones."""
SHORT: Final = 3
"""Sentences of a short summary."""


def compose_summary(facts: SummaryFacts) -> str:
    """Return the summary in a few sentences of Markdown; empty if there is nothing to tell."""
    return " ".join(_sentences(facts))


def compose_short_summary(facts: SummaryFacts) -> str:
    """Return the summary in at most three sentences: what was taught and answered comes before what was asked."""
    sentences = list(_sentences(facts))
    if len(sentences) > SHORT and facts.topics:
        sentences = list(_sentences(replace(facts, concepts=(), unanswered=())))
    return " ".join(sentences[:SHORT])


def _sentences(facts: SummaryFacts) -> Iterator[str]:
    told = (_taught(facts), facts.result, _asked(facts), _not_found(facts), *facts.open_points[:1])
    yield from filter(None, told)
    # What is open comes next anyway.
    if not facts.open_points and facts.next_step:
        yield facts.next_step


def _taught(facts: SummaryFacts) -> str:
    """Return what was taught, and what of it was mastered."""
    topics = facts.topics[-TOPICS_AT_MOST:]
    learned = [each for each in topics if each in facts.learned]
    if not topics:
        return ""
    if not learned:
        return _("You worked on %(topics)s.") % {"topics": _listed(topics)}
    if len(topics) == 1:
        return _("You worked on %(topic)s and mastered it.") % {"topic": _listed(topics)}
    said = _("You worked on %(topics)s, and you mastered %(learned)s.")
    return said % {"topics": _listed(topics), "learned": _listed(learned)}


def _asked(facts: SummaryFacts) -> str:
    """Return what was asked about, and how many passages the answers cite."""
    if not facts.concepts:
        return ""
    if facts.concepts == facts.unanswered:
        return _("You asked about %(concepts)s, but I found nothing on that.") % {"concepts": _listed(facts.concepts)}
    names = {"concepts": _listed(facts.concepts), "count": len(facts.sources)}
    if not facts.sources:
        return _("You asked about %(concepts)s.") % names
    said = ngettext(
        "You asked about %(concepts)s, and the answers quote %(count)d passage.",
        "You asked about %(concepts)s, and the answers quote %(count)d passages.",
        len(facts.sources),
    )
    return said % names


def _not_found(facts: SummaryFacts) -> str:
    """Return what the answers had nothing on."""
    said = _("I found nothing on %(concepts)s.")
    is_told = not facts.unanswered or facts.unanswered == facts.concepts
    return "" if is_told else said % {"concepts": _listed(facts.unanswered)}


def _listed(names: Sequence[str]) -> str:
    return str(get_text_list([emphasize(each) for each in names], _("and")))
