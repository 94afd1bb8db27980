"""Drafts of courses from documents: made of the text, changed by the person, and kept until they are a course."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from tutoring.course_imports.topics import plain_title
from tutoring.courses.checks.course_checks import MIN_IMPORTED
from tutoring.document_courses.concepts import DraftedConcept, group_questions
from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.facts import find_facts
from tutoring.document_courses.licenses import stated_license
from tutoring.document_courses.model_drafts import PassageFacts, PassageQuestions, checked_questions
from tutoring.document_courses.questions import draft_questions
from tutoring.document_courses.source_text import Layout, SourcePassage, SourceSection, read_sections

FORMAT_VERSION: Final = 1
MIN_WORDS: Final = 80
"""Words below which a text is a note, not something to learn from. Chosen by hand."""
MIN_ENGLISH: Final = 0.15
"""Share of the words that are common English ones; English prose has about a third, other languages below a tenth."""
_ENGLISH: Final = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "in",
        "is",
        "that",
        "it",
        "for",
        "are",
        "with",
        "as",
        "on",
        "be",
        "by",
        "this",
        "or",
        "an",
        "from",
        "which",
        "at",
        "not",
        "can",
        "have",
    ]
)
_BROKEN: Final = re.compile(r"^[a-z]|[.?!]\s+[a-z]|\s[,.;)]")
"""Marks a sentence that lost a word, such as the name of a figure."""
_QUOTED: Final = 60
"""Words quoted around a question's sentence in a lesson."""

WRITTEN_SECTIONS: Final = 12
"""Sections on which a model writes questions: each call takes seconds and costs money."""
WRITTEN_CHARACTERS: Final = 250
"""Shorter sections are not worth a call."""

type Write = Callable[[PassageFacts], PassageQuestions | None]
type Report = Callable[[int, int], None]
"""Is told how many of how many steps are done. May raise to end the work."""


class DraftProblem(StrEnum):
    """Why no course can be made of a document."""

    NO_TEXT = "no_text"
    TOO_SHORT = "too_short"
    NO_SENTENCES = "no_sentences"
    OTHER_LANGUAGE = "other_language"
    NO_TERMS = "no_terms"
    CRASHED = "crashed"


class DraftRefused(Exception):
    """No course can be made of the document; `problem` says why."""

    def __init__(self, problem: DraftProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDraft:
    """A course to be, with the text around each question."""

    title: str
    concepts: tuple[DraftedConcept, ...]
    contexts: Mapping[str, str]
    """For a quote, itself with the sentences around it in its paragraph."""
    attribution: str = ""
    """The title that the document gives itself."""
    license: str = ""
    """The license that the document states for itself; empty if it states none."""
    version: int = FORMAT_VERSION

    @property
    def questions(self) -> int:
        return sum(len(kept_questions(concept)) for concept in self.concepts)


def kept_questions(concept: DraftedConcept) -> tuple[DraftedQuestion, ...]:
    return tuple(question for question in concept.questions if question.is_kept)


def draft_document(
    passages: Sequence[SourcePassage], *, title: str, layout: Layout, report: Report = lambda done, of: None,
    write: Write | None = None,
) -> DocumentDraft:  # fmt: skip
    """Return the draft of a course. Raises DraftRefused; and what `report` raises.

    `write` has a language model write questions on a passage, or returns None. What it writes is checked by code.
    """
    report(0, 4)
    check_text(passages)
    sections = read_sections(passages, layout=layout)
    if not any(section.sentences or section.glossary or section.tables for section in sections):
        raise DraftRefused(DraftProblem.NO_SENTENCES)
    report(1, 4)
    facts = find_facts(sections)
    report(2, 4)
    questions = draft_questions(sections, facts)
    report(3, 4)
    if write is not None:
        questions = [*questions, *_written(sections, questions, write, report)]
    called = plain_title(title)
    concepts = group_questions(sections, questions, title=called)
    if not concepts:
        raise DraftRefused(DraftProblem.NO_TERMS)
    quotes = {question.quote for question in questions}
    draft = DocumentDraft(
        title=called, concepts=concepts, contexts=_contexts(sections, quotes), attribution=called,
        license=stated_license(passages, title=title),
    )  # fmt: skip
    report(4, 4)
    return draft


def _written(
    sections: Sequence[SourceSection], questions: Sequence[DraftedQuestion], write: Write, report: Report
) -> Iterator[DraftedQuestion]:
    """Yield what a model writes on the longest sections, in order, as far as the checks let it through."""
    lengths = {at: sum(len(one.text) for one in each.sentences) for at, each in enumerate(sections) if each.teaches}
    longest = sorted(lengths, key=lambda at: -lengths[at])[:WRITTEN_SECTIONS]
    chosen = [at for at in sorted(longest) if lengths[at] >= WRITTEN_CHARACTERS]
    for done, at in enumerate(chosen):
        report(3 + done, 4 + len(chosen))
        known = [question for question in questions if question.section == at]
        text = " ".join(one.text for one in sections[at].sentences)
        title = sections[at].path[-1] if sections[at].path else ""
        said = write(PassageFacts(title=title, text=text, known=tuple(question.stem for question in known)))
        if said is not None:
            yield from checked_questions(said, sections[at].sentences, section=at, known=known)


def check_text(passages: Sequence[SourcePassage]) -> None:
    """Raise DraftRefused for a text without words, with too few, or in another language."""
    words = Counter(word for passage in passages for word in re.findall(r"[^\W\d_]+", passage.text.casefold()))
    total = words.total()
    if not total:
        raise DraftRefused(DraftProblem.NO_TEXT)
    if total < MIN_WORDS:
        raise DraftRefused(DraftProblem.TOO_SHORT)
    if sum(words[word] for word in _ENGLISH) < MIN_ENGLISH * total:
        raise DraftRefused(DraftProblem.OTHER_LANGUAGE)


def _contexts(sections: Sequence[SourceSection], quotes: set[str]) -> dict[str, str]:
    """Return for each quote the sentences around it in its paragraph, up to 60 words; its own if there are none."""
    found = {}
    for section in sections:
        for at, sentence in enumerate(section.sentences):
            if sentence.text in quotes and sentence.text not in found:
                first = last = at
                while True:
                    nearest = [
                        (low, high)
                        for low, high in ((first - 1, last), (first, last + 1))
                        if low >= 0 and high < len(section.sentences)
                        and not any(_BROKEN.search(section.sentences[one].text) for one in (low, high))
                        and section.sentences[low].paragraph == section.sentences[high].paragraph == sentence.paragraph
                        and sum(len(one.text.split()) for one in section.sentences[low : high + 1]) <= _QUOTED
                    ]  # fmt: skip
                    if not nearest:
                        break
                    first, last = nearest[0]
                found[sentence.text] = " ".join(one.text for one in section.sentences[first : last + 1])
    return found


def changed_draft(
    draft: DocumentDraft, *, title: str, titles: Mapping[str, str], left_out: set[str],
    kept: Mapping[tuple[str, int], bool],
) -> DocumentDraft:  # fmt: skip
    """Return the draft with a person's changes. A concept left with fewer than three questions is left out.

    What required a concept that is left out requires what that one required.
    """
    gone: dict[str, tuple[str, ...]] = {}
    concepts = []
    for concept in draft.concepts:
        questions = tuple(
            replace(question, is_kept=kept.get((concept.id, at), question.is_kept))
            for at, question in enumerate(concept.questions)
        )
        requires = tuple(dict.fromkeys(name for one in concept.requires for name in gone.get(one, (one,))))
        if concept.id in left_out or sum(question.is_kept for question in questions) < MIN_IMPORTED:
            gone[concept.id] = requires
            questions = tuple(replace(question, is_kept=False) for question in questions)
        named = plain_title(titles.get(concept.id) or concept.title)
        concepts.append(replace(concept, title=named, requires=requires, questions=questions))
    return replace(draft, title=plain_title(title), concepts=tuple(concepts))


def draft_to_json(draft: DocumentDraft) -> dict[str, Any]:
    data: dict[str, Any] = _adapter().dump_python(draft, mode="json")
    return data


def draft_from_json(data: dict[str, Any]) -> DocumentDraft:
    return _adapter().validate_python(data)


@cache
def _adapter() -> TypeAdapter[DocumentDraft]:
    return TypeAdapter(DocumentDraft)
