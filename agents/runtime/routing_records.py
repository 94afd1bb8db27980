"""Records of routing: what each step said about a message, kept for a time so that admins can improve the words."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Count
from django.utils import timezone

from agents.models import RoutedMessage
from agents.models.routing import REASON_MAX_LENGTH, SPACE_MAX_LENGTH
from agents.routing.decision import RoutingDecision
from agents.routing.features import OUT_OF_SCOPE
from agents.routing.keywords import KeywordDecision

RETENTION: Final = timedelta(days=90)
"""As long as an admin looks back to improve the words. A guess."""

# Words decide few messages, so this is weeks of a busy site; more would make the page slow.
MOST_READ: Final = 20_000
"""Messages from which disputed words are counted, the latest."""


def record_routing(
    routed: RoutingDecision,
    *,
    surface: str,
    owner_id: int,
    turn_id: uuid.UUID,
    by_words: KeywordDecision | None,
    by_classifier: RoutingDecision | None,
    words_version: str,
    space: str = "",
) -> None:
    """Store a decision, once per turn, with what the words and the classifier said. Runs in the caller's transaction."""
    values = {
        "surface": surface,
        "space": space[:SPACE_MAX_LENGTH],
        "owner_id": owner_id,
        "by_keyword": _name(by_words.agent) if by_words else "",
        "by_classifier": _name(by_classifier.agent) if by_classifier else "",
        "by_model": _name(routed.agent) if routed.strategy == "llm" else "",
        "agent": _name(routed.agent),
        "strategy": routed.strategy,
        "confidence": routed.confidence,
        "reason": routed.reason[:REASON_MAX_LENGTH],
        "words": list(by_words.words) if by_words else [],
        "words_version": words_version,
    }
    RoutedMessage.objects.get_or_create(turn_id=turn_id, defaults=values)


def agents_used(surface: str = "", *, since: timedelta) -> dict[str, int]:
    """Return how many messages each agent got in this time, most first; of all surfaces if none is named."""
    rows = RoutedMessage.objects.filter(created_at__gte=timezone.now() - since)
    rows = rows.filter(surface=surface) if surface else rows
    counted = rows.values_list("agent").annotate(count=Count("pk")).order_by("-count", "agent")
    return dict(counted)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedWord:
    """A word that led elsewhere than the classifier or the model would have."""

    word: str
    agent: str
    """The agent that lists it."""
    hits: int
    """Messages that it helped to decide."""
    disputed: int
    """Those of them that the classifier or the model would have sent elsewhere."""
    others: Mapping[str, int]
    """Where to, with the number of messages, most first; the model's word counts before the classifier's."""


def disputed_words(surface: str, *, since: timedelta) -> list[DisputedWord]:
    """Return the disputed words of this time, those with most disputes first."""
    rows = RoutedMessage.objects.filter(surface=surface, created_at__gte=timezone.now() - since).exclude(by_keyword="")
    hits: Counter[tuple[str, str]] = Counter()
    others: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    found = rows.values_list("words", "by_keyword", "by_classifier", "by_model").order_by("-created_at")
    for words, agent, by_classifier, by_model in found[:MOST_READ]:
        other = by_model or by_classifier
        for word in words:
            hits[word, agent] += 1
            if other and other != agent:
                others[word, agent][other] += 1
    disputed = [
        DisputedWord(
            word=word, agent=agent, hits=hits[word, agent], disputed=found.total(), others=dict(found.most_common())
        )
        for (word, agent), found in others.items()
    ]
    return sorted(disputed, key=lambda each: (-each.disputed, each.word))


def forget_old_routing() -> None:
    """Delete what is older than RETENTION."""
    RoutedMessage.objects.filter(created_at__lt=timezone.now() - RETENTION).delete()


def _name(agent: str | None) -> str:
    return agent or OUT_OF_SCOPE
