"""Which concepts and courses a message names: by title, by other words for them, or by likeness of meaning."""

from typing import TYPE_CHECKING

from tutoring.routing.topics import concepts_named, topic_meant
from tutoring.rules.claims import as_typed, is_asking
from tutoring.rules.naming import phrases, stems
from tutoring.understanding.message import Message
from tutoring.understanding.values import Named

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Concept


def names_in(message: Message) -> tuple[Named, ...]:
    """Return what the message names to learn; several where it may mean each of them, none of them sure then."""
    courses = message.context.courses
    titled = concepts_named(message.typed, courses)
    if titled:
        course, concept = max(titled, key=lambda each: len(each[1].title))
        quote = as_typed(concept.title, message.typed)
        return (Named(course=course.id, concept=concept.id, quote=quote, is_all=_is_name(message, concept)),)
    meant = topic_meant(message.typed, courses)
    if meant is None:
        return ()
    quote = message.typed.strip()
    if meant.concept is not None:
        alone = _is_name(message, meant.concept)
        return (Named(course=meant.course.id, concept=meant.concept.id, quote=quote, is_all=alone),)
    return tuple(
        Named(course=meant.course.id, concept=each.id, quote=quote, is_sure=False) for each in meant.rivals
    ) or (Named(course=meant.course.id, concept="", quote=quote),)


def _is_name(message: Message, concept: "Concept") -> bool:
    """Tell whether a message is what the concept is called and no more, words that say nothing of a topic aside."""
    said = stems(message.words)
    return not is_asking(message.words) and any(said == stems(phrase) for phrase in phrases(concept))
