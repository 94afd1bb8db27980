"""Groups the questions of a document into concepts, in the order of its sections, and finds what each builds on."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from tutoring.course_imports.topics import free_id, plain_title
from tutoring.courses.checks.course_checks import MIN_IMPORTED
from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.source_text import SourceSection
from tutoring.document_courses.terms import words_of

WANTED: Final = 5
"""Questions of a concept up to which it joins a neighbor with the same heading above."""
MAX_QUESTIONS: Final = 12
"""Questions of a concept: a form has at most 1,000 fields, and nobody reads more through."""
MAX_CONCEPTS: Final = 60
MOST_REQUIRED: Final = 2
MIN_MENTIONS: Final = 2
"""How often a concept's text must use an earlier concept's terms to need it first."""
_SAYS_NOTHING: Final = re.compile(
    r"(?:(?:an? )?(?:short |brief |quick )?(?:introduction|intro|overview|background|basics|fundamentals|getting started|definitions?"
    r"|examples?|discussion|theory|(?:chapter )?(?:summary|review)|highlights|key concepts|conclusions?|notes|more|details|motivation|concepts|key ideas|(?:chapter|part|section|unit|lesson|module)"
    r" [\divx]+)|[\d.]+)[.:]?",
    re.IGNORECASE,
)
"""Headings that name no topic by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedConcept:
    """A concept of a draft: the sections from `first` to `last`, with their questions."""

    id: str
    title: str
    summary: str
    """A sentence quoted from the text."""
    first: int
    last: int
    questions: tuple[DraftedQuestion, ...]
    requires: tuple[str, ...] = ()


type Group = tuple[int, int, list[DraftedQuestion]]


def group_questions(
    sections: Sequence[SourceSection], questions: Sequence[DraftedQuestion], *, title: str
) -> tuple[DraftedConcept, ...]:
    """Return the concepts with at least three questions each, in the order of the text; empty without enough questions.

    1. Each section with questions is a group.
    2. The smallest group joins the neighbor whose headings have most in common with its own, until each has enough:
       three in any case, five if a neighbor has the same heading above.
    3. A group needs the one before it in the same chapter, and the earlier ones whose terms its text uses most.
    """
    if len(questions) < MIN_IMPORTED:
        return ()
    by_section: dict[int, list[DraftedQuestion]] = {}
    for question in questions:
        by_section.setdefault(question.section, []).append(question)
    groups = _joined([(at, at, found) for at, found in sorted(by_section.items())], sections)
    taken: set[str] = set()
    titles = _titles(groups, sections, title)
    concepts = [
        DraftedConcept(
            id=free_id(name, taken), title=name, summary=_summary(found), first=first, last=last, questions=tuple(found)
        )
        for name, (first, last, found) in zip(titles, groups, strict=True)
    ]
    concepts = [replace(one, questions=_chosen(one.questions)) for one in concepts]
    return tuple(replace(one, requires=_required(one, concepts[:at], sections)) for at, one in enumerate(concepts))


def _chosen(questions: Sequence[DraftedQuestion]) -> tuple[DraftedQuestion, ...]:
    """Return at most twelve questions: those of a model, and of each sentence the first one, then the second one."""
    turns: Counter[str] = Counter()
    ranked = []
    for at, question in enumerate(questions):
        ranked.append((0 if question.source == "model" else turns[question.quote], at))
        turns[question.quote] += 1
    places = sorted(at for _turn, at in sorted(ranked)[:MAX_QUESTIONS])
    return tuple(questions[at] for at in places)


def _joined(groups: list[Group], sections: Sequence[SourceSection]) -> list[Group]:
    final: set[tuple[int, int]] = set()
    while len(groups) > 1:
        sizes = [(len(found), at) for at, (first, last, found) in enumerate(groups) if (first, last) not in final]
        if not sizes:
            break
        size, at = min(sizes)
        if size >= WANTED and len(groups) <= MAX_CONCEPTS:
            break
        near = [other for other in (at - 1, at + 1) if 0 <= other < len(groups)]
        best = max(near, key=lambda other: (_common(groups[at], groups[other], sections), -len(groups[other][2])))
        is_related = _common(groups[at], groups[best], sections) > 0 or not sections[groups[at][0]].path
        if size >= MIN_IMPORTED and not is_related and len(groups) <= MAX_CONCEPTS:
            final.add(groups[at][:2])
            continue
        low, high = sorted((at, best))
        groups[low : high + 1] = [(groups[low][0], groups[high][1], [*groups[low][2], *groups[high][2]])]
    return groups


def _path(group: Group, sections: Sequence[SourceSection]) -> tuple[str, ...]:
    """Return the headings that all sections of a group with questions share."""
    paths = [sections[at].path for at in dict.fromkeys(question.section for question in group[2])]
    shared = paths[0]
    for path in paths[1:]:
        size = next((at for at, (one, other) in enumerate(zip(shared, path, strict=False)) if one != other), None)
        shared = shared[: min(len(shared), len(path)) if size is None else size]
    return shared


def _common(one: Group, other: Group, sections: Sequence[SourceSection]) -> int:
    return len(_path((one[0], other[1], [*one[2], *other[2]]), sections))


def _titles(groups: Sequence[Group], sections: Sequence[SourceSection], title: str) -> list[str]:
    """Return a title for each group: its shared heading, unless another group or the document has the same.

    Then it is the heading below that most of its questions have, and only without one its main terms.
    """
    paths = [_path(group, sections) for group in groups]
    leaves = Counter(path[-1] for path in paths if path)
    found = []
    for group, shared in zip(groups, paths, strict=True):
        terms, path = _main_terms(group[2]), shared
        if not path or leaves[path[-1]] > 1 or path[-1] == title:
            path = (*path, *_heading_below(path, group[2], sections))
        if not path or (path[-1] == title and len(groups) > 1):
            name = terms or _("Page %(page)d") % {"page": sections[group[0]].page}
        elif (path == shared and leaves[path[-1]] > 1) or _SAYS_NOTHING.fullmatch(path[-1]):
            above = path[-2] if len(path) > 1 and path[-2] != title else ""
            name = ": ".join(part for part in (above or path[-1], path[-1] if above else terms) if part)
        else:
            name = path[-1]
        found.append(plain_title(name))
    again = Counter(found)
    return [
        plain_title(f"{name}: {_main_terms(group[2])}") if again[name] > 1 and name != _main_terms(group[2]) else name
        for name, group in zip(found, groups, strict=True)
    ]


def _heading_below(
    path: tuple[str, ...], questions: Sequence[DraftedQuestion], sections: Sequence[SourceSection]
) -> tuple[str, ...]:
    """Return the heading below the shared ones that most of the questions have; empty if none has one."""
    below = Counter(sections[each.section].path[len(path) : len(path) + 1] for each in questions)
    named = {heading: count for heading, count in below.items() if heading and not _SAYS_NOTHING.fullmatch(heading[0])}
    return max(named or below, key=lambda heading: below[heading])


def _main_terms(questions: Sequence[DraftedQuestion]) -> str:
    counts = Counter(term for question in questions for term in question.terms if question.kind != "match")
    said = ", ".join(term for term, _count in counts.most_common(2))
    return said[:1].upper() + said[1:]


def _summary(questions: Sequence[DraftedQuestion]) -> str:
    """Return the sentence on which most questions rest."""
    quotes = Counter(question.quote for question in questions if question.quote.endswith("."))
    return quotes.most_common(1)[0][0] if quotes else questions[0].quote


def _required(
    concept: DraftedConcept, before: Sequence[DraftedConcept], sections: Sequence[SourceSection]
) -> tuple[str, ...]:
    text = " ".join(_text(concept, sections))
    mentions = {each.id: sum(text.count(f" {term} ") for term in _terms(each) - _terms(concept)) for each in before}
    used = [each for each in before if mentions[each.id] >= MIN_MENTIONS]
    needed = sorted(used, key=lambda each: (mentions[each.id], each.first))[-MOST_REQUIRED:]
    if before and sections[before[-1].first].path[:1] == sections[concept.first].path[:1]:
        needed = [*[each for each in needed if each is not before[-1]][-1:], before[-1]]
    return tuple(each.id for each in before if each in needed)


def _terms(concept: DraftedConcept) -> frozenset[str]:
    return frozenset(" ".join(words_of(term)) for question in concept.questions for term in question.terms)


def _text(concept: DraftedConcept, sections: Sequence[SourceSection]) -> list[str]:
    """Return the words of a concept's sections, each between two spaces."""
    return [
        word
        for section in sections[concept.first : concept.last + 1]
        for sentence in section.sentences
        for word in ("", *words_of(sentence.text), "")
    ]
