"""The recap: what happened in a conversation, shown above it when somebody comes back after a break."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.safestring import SafeString

from conversations.models import Turn
from conversations.owners import Owner
from conversations.search.citations import CARD_KIND, Citation, citations
from conversations.speakers import agent_label
from conversations.summaries.facts import SummaryFacts
from conversations.summaries.records import summary_up_to
from conversations.web.markup import inline_to_html

BREAK: Final = timedelta(hours=4)
"""After this long without a turn, a conversation is resumed. Chosen by hand."""
SOURCES_AT_MOST: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """What happened in a conversation before a break."""

    html: SafeString
    ended_at: datetime
    """When the last turn ended."""
    agents: tuple[str, ...]
    """Display names of those who took part."""
    sources: tuple[Citation, ...]
    """The texts that were cited, each once, without those that the reader may no longer see."""


def recap_after_break(last: Turn | None, reader: Owner) -> Recap | None:
    """Return the recap up to a conversation's last turn; None during the conversation, and if there is nothing to tell."""
    ended_at = last.finished_at if last is not None else None
    if last is None or ended_at is None or timezone.now() - ended_at < BREAK:
        return None
    summary = summary_up_to(last)
    if not summary.text:
        return None
    return Recap(
        html=inline_to_html(summary.text),
        ended_at=ended_at,
        agents=tuple(map(agent_label, summary.facts.agents)),
        sources=_sources(summary.facts, reader),
    )


def _sources(facts: SummaryFacts, reader: Owner) -> tuple[Citation, ...]:
    """Return the texts cited, the first place in each; two queries, none if nothing was cited."""
    if not facts.sources:
        return ()
    quotes = [{"start": 0, "end": 0}] * len(facts.sources)
    card = {"kind": CARD_KIND, "id": "recap", "sources": [{"id": each} for each in facts.sources], "quotes": quotes}
    by_title: dict[str, Citation] = {}
    for each in citations([card], reader)["recap"]:
        if each.url:
            by_title.setdefault(each.title, each)
    return tuple(by_title.values())[:SOURCES_AT_MOST]
