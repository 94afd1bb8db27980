"""Which concepts and courses a message names: by title, by other words for them, or by likeness of meaning."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tutoring.routing.topics import concepts_named, topic_meant
from tutoring.rules.claims import as_typed
from tutoring.understanding.values import Named

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Course


def names_in(text: str, courses: "Sequence[Course]") -> tuple[Named, ...]:
    """Return what the message names to learn; several where it may mean each of them, none of them sure then."""
    titled = concepts_named(text, courses)
    if titled:
        course, concept = max(titled, key=lambda each: len(each[1].title))
        return (Named(course=course.id, concept=concept.id, quote=as_typed(concept.title, text)),)
    meant = topic_meant(text, courses)
    if meant is None:
        return ()
    quote = text.strip()
    if meant.concept is not None:
        return (Named(course=meant.course.id, concept=meant.concept.id, quote=quote),)
    return tuple(
        Named(course=meant.course.id, concept=each.id, quote=quote, is_sure=False) for each in meant.rivals
    ) or (Named(course=meant.course.id, concept="", quote=quote),)
