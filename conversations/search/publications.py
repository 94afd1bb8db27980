"""Publications: texts that apps publish to everybody signed in, kept up to date."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction

from conversations.models import Passage, Publication
from conversations.models.library import NAME_MAX_LENGTH
from conversations.search.passages import split_text


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSection:
    """A part of the text that is read at one URL."""

    heading: str
    text: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedText:
    """An app's current version of a text."""

    key: str
    title: str
    version: str
    """Changes whenever a section does."""
    sections: Callable[[], Iterable[PublishedSection]]
    """Called only if the version is new."""


type Publisher = Callable[[], Iterable[PublishedText]]

_publishers: dict[str, Publisher] = {}


def register_publisher(kind: str, publisher: Publisher) -> None:
    """Register a function that returns all texts of a kind, while apps start; registering twice is harmless."""
    _publishers[kind] = publisher


def published_kinds() -> frozenset[str]:
    return frozenset(_publishers)


def publish_changed() -> None:
    """Store new versions of published texts, and delete texts that are no longer published."""
    for kind, publisher in _publishers.items():
        texts = {text.key: text for text in publisher()}
        known = dict(Publication.objects.filter(kind=kind).values_list("key", "version"))
        Publication.objects.filter(kind=kind, key__in=known.keys() - texts.keys()).delete()
        for key, text in texts.items():
            if known.get(key) != text.version:
                _publish(kind, text)


@transaction.atomic
def _publish(kind: str, text: PublishedText) -> None:
    fields = {"title": text.title[:NAME_MAX_LENGTH], "version": text.version}
    publication, _created = Publication.objects.update_or_create(kind=kind, key=text.key, defaults=fields)
    publication.passages.all().delete()
    Passage.objects.bulk_create(_passages(publication, text), batch_size=500)


def _passages(publication: Publication, text: PublishedText) -> Iterator[Passage]:
    number = 0
    for page, section in enumerate(text.sections(), 1):
        for part in split_text(section.text):
            number += 1
            yield Passage(
                publication=publication,
                number=number,
                page=page,
                heading=section.heading[:NAME_MAX_LENGTH],
                text=part,
                link=section.link,
            )
