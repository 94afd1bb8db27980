"""The concept graph of a person: concepts with counts, how they were mentioned together, and conversations by topic."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from conversations.concepts.lesson_links import LessonLink
from conversations.concepts.mentions import AskedMessage
from conversations.concepts.names import concept_key, usual_name
from conversations.panel.terms import Stems

CONCEPTS_AT_MOST: Final = 100
"""The most frequent concepts that are told; of as many messages as are read, hardly anybody has more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedConcept:
    """A concept that a person asked about."""

    key: Stems
    name: str
    topic: str
    """The usual category of the concept; empty if it has none."""
    count: int
    """Messages that name it."""
    last_at: datetime
    messages: tuple[AskedMessage, ...]
    """The latest message about it in each conversation, latest first."""
    lesson: LessonLink | None = None
    related: "tuple[RelatedConcept, ...]" = ()
    """The most frequent first."""

    @property
    def anchor(self) -> str:
        return anchor_of(self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedConcept:
    """Another concept, mentioned together with one."""

    key: Stems
    name: str
    is_compared: bool
    """Whether the two were compared with each other."""
    count: int
    """Messages that relate the two."""

    @property
    def anchor(self) -> str:
        return anchor_of(self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTopic:
    """Concepts of one category, and the conversations that are mostly about them."""

    name: str
    """Empty for concepts without a category."""
    concepts: tuple[AskedConcept, ...]
    """The most frequent first."""
    conversations: tuple[AskedMessage, ...]
    """The latest message of each conversation, latest first."""


@dataclass(slots=True)
class _Found:
    """What was found of one concept so far."""

    names: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    messages: list[AskedMessage] = field(default_factory=list)
    related: Counter[Stems] = field(default_factory=Counter)
    compared: set[Stems] = field(default_factory=set)


def anchor_of(key: Stems) -> str:
    """Return the id of a concept's entry on the page."""
    return f"concept-{'-'.join(' '.join(key).split())}"


def merge_messages(
    messages: Iterable[AskedMessage], *, lessons: Mapping[Stems, LessonLink] | None = None
) -> tuple[AskedConcept, ...]:
    """Return the concepts that the messages name, given latest first; the most frequent first, at most 100."""
    found: dict[Stems, _Found] = defaultdict(_Found)
    for message in messages:
        _add_message(found, message)
    names = {key: usual_name(each.names) for key, each in found.items()}
    ranked = sorted(found, key=lambda key: (-len(found[key].messages), names[key]))[:CONCEPTS_AT_MOST]
    shown = {key: names[key] for key in ranked}
    return tuple(_concept(key, found[key], names=shown, lesson=(lessons or {}).get(key)) for key in ranked)


def group_by_topic(concepts: Sequence[AskedConcept], messages: Iterable[AskedMessage]) -> tuple[AskedTopic, ...]:
    """Return the concepts and conversations by topic: the one asked about most first, concepts without one last.

    A topic has its category's name, so that a new message never renames it. A conversation belongs to the topic that most
    of its concepts have.
    """
    topic_of = {each.key: each.topic for each in concepts}
    asked = Counter(dict.fromkeys(topic_of.values(), 0))
    for concept in concepts:
        asked[concept.topic] += concept.count
    conversations = _conversations_by_topic(topic_of, messages)
    ordered = sorted(asked, key=lambda topic: (not topic, -asked[topic], topic))
    return tuple(
        AskedTopic(
            name=topic,
            concepts=tuple(each for each in concepts if each.topic == topic),
            conversations=tuple(conversations.get(topic, ())),
        )
        for topic in ordered
    )


def _add_message(found: dict[Stems, _Found], message: AskedMessage) -> None:
    named = {concept_key(each["name"]): each for each in message.concepts}
    for key, concept in named.items():
        one = found[key]
        one.names.append(concept["name"])
        one.messages.append(message)
        if category := concept.get("category"):
            one.categories.append(category)
    for each in message.relationships:
        one_key, other_key = concept_key(each["source"]), concept_key(each["target"])
        if one_key != other_key and {one_key, other_key} <= named.keys():
            for key, other in ((one_key, other_key), (other_key, one_key)):
                found[key].related[other] += 1
                if each["type"] == "compared_with":
                    found[key].compared.add(other)


def _concept(key: Stems, found: _Found, *, names: Mapping[Stems, str], lesson: LessonLink | None) -> AskedConcept:
    latest: dict[str, AskedMessage] = {}
    for message in found.messages:
        latest.setdefault(message.session_key, message)
    return AskedConcept(
        key=key,
        name=names[key],
        topic=usual_name(found.categories) if found.categories else "",
        count=len(found.messages),
        last_at=max(each.at for each in found.messages),
        messages=tuple(latest.values()),
        lesson=lesson,
        related=tuple(
            RelatedConcept(key=other, name=names[other], is_compared=other in found.compared, count=count)
            for other, count in sorted(found.related.items(), key=lambda each: (-each[1], names.get(each[0], "")))
            if other in names
        ),
    )


def _conversations_by_topic(
    topic_of: Mapping[Stems, str], messages: Iterable[AskedMessage]
) -> Mapping[str, Sequence[AskedMessage]]:
    latest: dict[str, AskedMessage] = {}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for message in messages:
        latest.setdefault(message.session_key, message)
        keys = {concept_key(each["name"]) for each in message.concepts}
        counts[message.session_key].update(topic_of[key] for key in keys if key in topic_of)
    found: dict[str, list[AskedMessage]] = defaultdict(list)
    for session_key, message in latest.items():
        if own := counts[session_key]:
            found[min(own, key=lambda topic: (not topic, -own[topic], topic))].append(message)
    return found
