"""Proposes topics for imported questions, and which topic needs which other one first."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from anyascii import anyascii
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tutoring.course_imports.question_groups import closest_groups
from tutoring.course_imports.questions import ImportedQuestion
from tutoring.courses.checks.course_checks import MIN_IMPORTED

MAX_PER_TOPIC: Final = 100
"""Questions of one topic; a file of a course has a limited size."""
MAX_TOPICS: Final = 100
_COMMON_SHARE: Final = 0.4
"""A word in more of the topics than this says nothing about any of them. Chosen by hand."""
_MOST_REQUIRED: Final = 2
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic of a draft: its questions, and the ids of the topics that come before it."""

    id: str
    title: str
    questions: tuple[ImportedQuestion, ...]
    requires: tuple[str, ...] = ()


def terms_of(text: str) -> frozenset[str]:
    """Return the words of four or more letters, in lower case and without a final s."""
    return frozenset(word.casefold().removesuffix("s") for word in _WORD.findall(text))


def propose_topics(questions: Sequence[ImportedQuestion], *, title: str) -> tuple[Topic, ...]:
    """Return topics with at least three questions each, in the order of the file.

    1. Questions with the same topic in their file belong together.
    2. A question without one joins the topic with which it shares most words, by its text and the topic's title and
       texts; with no words in common, the topic that is most similar in meaning, or those called `title`.
    3. A topic of fewer than three questions joins the one with which it shares most words, else the one before it.
    4. A topic is a prerequisite of a later one if at least a third of the later one's questions, or its title, contain
       more than half of the words of its title. Of several, the two nearest count. Words that many topics have do not.
    """
    groups = _tagged(questions, title)
    groups = _merged(groups)
    topics = _named([part for name, members in groups for part in _parts(name, members)])
    return _with_prerequisites(topics)


type Group = tuple[str, list[ImportedQuestion]]


def _tagged(questions: Sequence[ImportedQuestion], title: str) -> list[Group]:
    groups: dict[str, list[ImportedQuestion]] = {}
    loose: list[ImportedQuestion] = []
    for question in questions:
        if question.topic:
            groups.setdefault(question.topic, []).append(question)
        else:
            loose.append(question)
    if not groups:
        return [(title, loose)] if loose else []
    known = {name: _terms(name, members) for name, members in groups.items()}
    best = {question: max(known, key=lambda name: len(terms_of(question.stem) & known[name])) for question in loose}
    strange = [question for question in loose if not terms_of(question.stem) & known[best[question]]]
    names = list(groups)
    texts = [f"{name}. {' '.join(each.stem for each in groups[name])}" for name in names]
    for question, place in zip(strange, closest_groups([each.stem for each in strange], texts), strict=True):
        best[question] = title if place is None else names[place]
    for question in loose:
        groups.setdefault(best[question], []).append(question)
    return list(groups.items())


def _terms(name: str, members: Iterable[ImportedQuestion]) -> frozenset[str]:
    return terms_of(" ".join([name, *(question.stem for question in members)]))


def _merged(groups: list[Group]) -> list[Group]:
    """Return the groups with each small one joined to the most similar, in the order of the larger ones."""
    groups = list(groups)
    terms = [_terms(name, members) for name, members in groups]
    while len(groups) > 1 and (min(len(members) for _n, members in groups) < MIN_IMPORTED or len(groups) > MAX_TOPICS):
        small = min(range(len(groups)), key=lambda at: len(groups[at][1]))
        other = max(
            (at for at in range(len(groups)) if at != small),
            key=lambda at: (_likeness(terms[small], terms[at]), -abs(small - at), -at),
        )
        keep, drop = min(small, other), max(small, other)
        name = groups[other][0]
        groups[keep] = (name, groups[keep][1] + groups[drop][1])
        terms[keep] |= terms[drop]
        del groups[drop], terms[drop]
    return groups


def _likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of words that two topics have in common (0-1)."""
    return len(first & second) / max(1, len(first | second))


def _parts(name: str, members: list[ImportedQuestion]) -> list[Group]:
    """Return a large topic as several of almost the same size."""
    parts = -(-len(members) // MAX_PER_TOPIC)
    if parts < 2:
        return [(name, members)]
    size = -(-len(members) // parts)
    return [
        (
            _("%(topic)s, part %(number)d") % {"topic": name, "number": number + 1},
            members[number * size : (number + 1) * size],
        )
        for number in range(parts)
    ]


def _named(groups: Sequence[Group]) -> list[Topic]:
    taken: set[str] = set()
    return [
        Topic(id=free_id(plain_title(name), taken), title=plain_title(name), questions=tuple(members))
        for name, members in groups
    ]


def plain_title(text: str) -> str:
    """Return a title in one line without markup, marks that end sentences, and more than 100 characters."""
    bare = " ".join(re.sub(r"[?!*_`#<>\[\]{}$\\|]+", " ", text).split()).strip(" .:;,")
    return bare[:100].strip() or _("Questions")


def free_id(title: str, taken: set[str]) -> str:
    """Return an id made of a title that is not among those taken, and take it."""
    base = slugify(anyascii(title))[:50].strip("-_") or "topic"
    found = next(name for number in count(1) if (name := base if number == 1 else f"{base}-{number}") not in taken)
    taken.add(found)
    return found


def _with_prerequisites(topics: Sequence[Topic]) -> tuple[Topic, ...]:
    texts = [_terms("", topic.questions) for topic in topics]
    often = Counter(word for words in texts for word in words)
    most = max(2.0, _COMMON_SHARE * len(topics))
    titles = [frozenset(word for word in terms_of(topic.title) if often[word] <= most) for topic in topics]
    found: list[Topic] = []
    for at, topic in enumerate(topics):
        before = [each.id for place, each in enumerate(topics[:at]) if _names(titles[place], topic)]
        found.append(replace(topic, requires=tuple(before[-_MOST_REQUIRED:])))
    return tuple(found)


def _names(words: frozenset[str], topic: Topic) -> bool:
    """Tell whether a topic's title or enough of its questions have more than half of the words of another's title."""
    texts = [terms_of(question.stem) for question in topic.questions]
    having = sum(2 * len(words & text) > len(words) for text in texts)
    return bool(words) and (2 * len(words & terms_of(topic.title)) > len(words) or 3 * having >= len(texts))
