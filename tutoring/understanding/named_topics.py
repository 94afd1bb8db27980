"""Finds the concepts and courses that a message names: by title, by other names, or by similarity of meaning."""

import re
from typing import TYPE_CHECKING, Final

from tutoring.courses.files.course_builder import OTHER_SUBJECTS
from tutoring.understanding.classifiers.questions import CLEARLY_REQUESTED_FROM, NONE, REQUESTED_FROM, find_request
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import NamedTopic
from tutoring.understanding.parsing.assertions import asks_openly, is_asking, original_words, plain_text
from tutoring.understanding.parsing.concept_names import concept_phrases, topic_stems
from tutoring.understanding.routing.topics import (
    find_named_concepts,
    find_nearest_course,
    find_titled_course,
    find_topic,
)

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent
    from tutoring.understanding.context import Context

_SET_ASIDE: Final = r"\b(?:i (?:already )?know|not|instead of|rather than|tired of|enough of|no more) (?:the )?"
_FIRST: Final = re.compile(
    r"\bthe (?:very )?first (?:topic|lesson|chapter|unit)\b|\bthe (?:very )?(?:start|beginning) of (?:the|this) (?:whole )?course\b",
    re.IGNORECASE,
)
"""Names the course's first concept."""
# "i asked for weighted sums", "can we do equal parts next": what follows may be a title.
_WANTED: Final = re.compile(
    r"\b(?:i (?:asked for|wanted)|i'?d rather (?:go on with|start with|do|learn)|can we (?:do|start with|go on with)|let'?s do)"
    r" (?:to (?:do|learn|start) )?([^,.!?]{3,40})"
)
_AFTER_NAME: Final = re.compile(r" (?:because|not|next|first|now|instead|please|pls|today|then)\b")
# A message with such a word may be compared with what the courses teach; others would come near to one by chance.
_WISHES: Final = re.compile(
    r"\b(?:learn|understand|study|get better at|good at|teach me|know (?:more )?about|homework|exam|(?:a|my|the) test)\b"
)
# "learn Python so that I can …": what is wished stands between the verb and the purpose.
_WISHED: Final = re.compile(
    r"\b(?:learn(?: about| to)?|understand|study|get better at|teach me(?: about)?|know (?:more )?about"
    r"|(?:start|begin|go on|rather do) (?:with|on)|(?:lessons?|topics?|ones?) (?:on|about)) (.{2,60}?)"
    r"(?= (?:so that|so i|because|since|to|for|in order|right|at|with|and|even|now|please|first|instead)\b|[,.;!?]|$)"
)


def find_named_topics(message: MessageText) -> tuple[NamedTopic, ...]:
    """Return the topics that the message names; several, none of them sure, if it is ambiguous."""
    courses = message.context.courses
    if topic_stems(message.words) == ("one",):
        return ()  # "the next one" names no topic.
    taught = message.context.course
    if taught is not None and taught.concepts and (found := _FIRST.search(message.typed)):
        return (NamedTopic(course=taught.id, concept=taught.concepts[0].id, quote=found[0]),)
    titled = find_named_concepts(message.typed, courses)
    titled = [each for each in titled if not _is_set_aside(each[1], message)] or titled
    if titled:
        course, concept = max(titled, key=lambda each: len(each[1].title))
        quote = original_words(concept.title, message.typed)
        return (NamedTopic(course=course.id, concept=concept.id, quote=quote, is_all=_is_name(message, concept)),)
    meant = find_topic(message.typed, courses)
    if meant is None:
        return ()
    quote = message.typed.strip()
    if meant.concept is not None:
        alone = _is_name(message, meant.concept)
        return (NamedTopic(course=meant.course.id, concept=meant.concept.id, quote=quote, is_all=alone),)
    return tuple(
        NamedTopic(course=meant.course.id, concept=each.id, quote=quote, is_sure=False) for each in meant.rivals
    ) or (NamedTopic(course=meant.course.id, concept="", quote=quote),)


def find_wished_topics(message: MessageText) -> tuple[NamedTopic, ...]:
    """Return the topics that stand behind a wish: "the lesson on correlation", "go on with lists"; several if any may be meant."""
    quote = message.typed.strip()
    for wished in _WISHED.findall(message.words):
        if (named := find_topic(wished, message.context.courses)) is not None:
            if named.rivals:
                return tuple(
                    NamedTopic(course=named.course.id, concept=each.id, quote=quote, is_sure=False)
                    for each in named.rivals
                )
            concept = named.concept.id if named.concept is not None else ""
            return (NamedTopic(course=named.course.id, concept=concept, quote=quote),)
    return ()


def find_wished_course(message: MessageText) -> tuple[NamedTopic, ...]:
    """Return the course that a message wishes to learn without naming any of its topics: "fractions! the pizza one"."""
    quote, courses = message.typed.strip(), message.context.courses
    if wished := find_wished_topics(message):
        return wished
    if (titled := find_titled_course(message.tidied, courses)) is not None and not asks_openly(message.words):
        return (NamedTopic(course=titled.id, concept="", quote=quote),)
    nearest = find_nearest_course(message.typed, courses) if _WISHES.search(message.words) else None
    return (NamedTopic(course=nearest.id, concept="", quote=quote),) if nearest is not None else ()


def switch_to_wanted(text: str, context: "Context") -> str:
    """Return the wish for the lesson whose title a message wants, in a button's words; empty for none.

    What it does not want may be named too: "stop, I asked for weighted sums, not back-propagation".
    """
    wanted = _WANTED.search(plain_text(text))
    # Nothing but the title: "i wanted one half of it" is about a piece.
    name = _without_article(_AFTER_NAME.split(wanted[1])[0]) if wanted else ""
    titles = [each.title for course in context.courses for each in course.concepts]
    title = next((each for each in titles if name and _without_article(each.lower()) == name), "")
    return f"Switch to {title}" if title else ""


def _without_article(name: str) -> str:
    return name.strip().removeprefix("the ")


def find_requested_topics(message: MessageText, *, least: float = REQUESTED_FROM) -> tuple[NamedTopic, ...]:
    """Return the concept that a message asks for in words that name none: "the ones with the same bottom".

    `least`: the probability that is enough. Of several courses, the one that is surest counts.
    """
    found = [
        (request[1], course.id, request[0])
        for course in message.context.courses
        if (request := find_request(message.tidied, course)) and request[0] not in (NONE, OTHER_SUBJECTS)
    ]
    chance, course, concept = max(found, default=(0.0, "", ""))
    return (NamedTopic(course=course, concept=concept, quote=message.typed.strip()),) if chance >= least else ()


def _is_set_aside(concept: "ConceptContent", message: MessageText) -> bool:
    """Tell whether a message names a concept as the one that it does not want: "… i know equal parts already"."""
    return re.search(rf"{_SET_ASIDE}{re.escape(concept.title.casefold())}\b", message.typed.casefold()) is not None


def asks_other_subject(message: MessageText) -> bool:
    """Tell whether a message that names no concept may ask for something to learn: all but clearly vague wishes do."""
    found = [find_request(message.tidied, course) for course in message.context.courses]
    return not any(each and each[0] == NONE and each[1] >= CLEARLY_REQUESTED_FROM for each in found)


def is_titled(message: MessageText) -> bool:
    """Tell whether the message has a concept's title in it."""
    return bool(find_named_concepts(message.typed, message.context.courses))


def _is_name(message: MessageText, concept: "ConceptContent") -> bool:
    """Tell whether a message is nothing but a name of the concept, function words aside."""
    said = topic_stems(message.words)
    return not is_asking(message.words) and any(said == topic_stems(phrase) for phrase in concept_phrases(concept))
