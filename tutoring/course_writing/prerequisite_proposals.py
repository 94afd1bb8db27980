"""Proposes which topics come first, for a teacher to accept: by their order, the words they share, and their meaning."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.course_imports.topics import terms_of
from tutoring.mastery.prerequisites import all_prerequisites

MOST_REQUIRED: Final = 2
_COMMON_SHARE: Final = 0.4
"""A word in more of the topics than this says nothing about any of them. Chosen by hand."""
SIMILAR: Final = 0.55
"""Cosine of two topics from which one of them continues the other, if they share no words. Chosen by hand."""
_SPACES: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicText:
    """A topic and what is said about it. Topics are in the order in which they are taught."""

    id: str
    title: str
    text: str


def propose_prerequisites(
    topics: Sequence[TopicText], known: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return proposed prerequisites of each topic that has none, beside those `known`.

    1. A topic comes first if a later one's text has more than half of the words of its title; of several, the nearest two.
       Words that many topics have do not count.
    2. Otherwise, the topic before whose meaning is most similar comes first, if it is similar enough.
    3. What another prerequisite already needs is left out.
    """
    requires = {topic.id: tuple(known.get(topic.id, ())) for topic in topics}
    texts = [terms_of(f"{topic.title} {topic.text}") for topic in topics]
    often = Counter(word for words in texts for word in words)
    most = max(2.0, _COMMON_SHARE * len(topics))
    titles = [frozenset(word for word in terms_of(topic.title) if often[word] <= most) for topic in topics]
    similar = _similar(topics)
    proposed: dict[str, tuple[str, ...]] = {}
    for at, topic in enumerate(topics):
        if requires[topic.id]:
            continue
        named = [
            place for place in range(at) if titles[place] and 2 * len(titles[place] & texts[at]) > len(titles[place])
        ]
        found = [topics[place].id for place in named[-MOST_REQUIRED:] or similar.get(at, [])]
        found = [name for name in found if topic.id not in all_prerequisites(requires, [name])]
        implied = all_prerequisites(requires, found)
        if kept := tuple(name for name in found if name not in implied):
            proposed[topic.id] = requires[topic.id] = kept
    return proposed


def _similar(topics: Sequence[TopicText]) -> dict[int, list[int]]:
    """Return for each topic the most similar one before it, if it is similar enough; nothing without the model."""
    if len(topics) < 2:
        return {}
    try:
        vectors = embeddings.embed([_SPACES.sub(" ", f"{topic.title}. {topic.text}")[:300] for topic in topics])
    except EmbeddingModelMissing:
        return {}
    found: dict[int, list[int]] = {}
    for at in range(1, len(topics)):
        scores = vectors[:at] @ vectors[at]
        best = int(scores.argmax())
        if scores[best] >= SIMILAR:
            found[at] = [best]
    return found
