"""Drafts of imported courses: what is read is proposed to a teacher, changed by them, and kept until it is a course."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import TypeAdapter

from tutoring.course_imports.course_files import attribution_of
from tutoring.course_imports.exercises import with_usable_hints
from tutoring.course_imports.files import read_file
from tutoring.course_imports.questions import (
    MAX_QUESTIONS,
    ImportRefused,
    QuestionRefused,
    ReadFile,
    Skipped,
    joined,
    lines_of,
)
from tutoring.course_imports.topics import Topic, plain_title, propose_topics
from tutoring.courses.checks.course_checks import MIN_IMPORTED

MAX_FILES = 50
MAX_REASONS = 10
"""Questions left out that a refusal lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseDraft:
    """A course to be: its topics with their questions, and what was left out, with reasons."""

    title: str
    language: str
    license: str
    attribution: str
    topics: tuple[Topic, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def questions(self) -> int:
        return sum(len(topic.questions) for topic in self.topics)

    @property
    def hints(self) -> int:
        return sum(len(question.hints) for topic in self.topics for question in topic.questions)


class CourseTerms(TypedDict):
    """What a teacher says about the course as a whole."""

    title: str
    language: str
    license: str
    attribution: str


def draft_course(files: Iterable[tuple[str, bytes]], *, title: str = "", language: str = "en") -> CourseDraft:
    """Return the draft of a course from files by name. Raises ImportRefused if no course can be made of them."""
    named = list(files)
    if not 0 < len(named) <= MAX_FILES:
        said = _("Choose from 1 to %(limit)d files; you chose %(count)d.")
        raise ImportRefused(said % {"limit": MAX_FILES, "count": len(named)})
    read = _gradable(joined(_read_all(named)))
    if len(read.questions) < MIN_IMPORTED:
        raise ImportRefused("\n".join(_too_few(read)))
    called = plain_title(title or read.title or named[0][0].rpartition(".")[0].replace("_", " ").replace("-", " "))
    return CourseDraft(
        title=called,
        language=language,
        license=", ".join(read.licenses)[:500],
        attribution=attribution_of(read.sources),
        topics=propose_topics(read.questions, title=called),
        skipped=read.skipped,
    )


def _read_all(files: Iterable[tuple[str, bytes]]) -> Iterator[ReadFile]:
    """Yield what is in each file. Raises ImportRefused, also for more questions than a course can have."""
    questions = 0
    for name, data in files:
        read = read_file(name, data)
        questions += len(read.questions) + len(read.skipped)
        if questions > MAX_QUESTIONS:
            said = _("These files have more than %(limit)d questions in total. Make several courses of them.")
            raise ImportRefused(said % {"limit": MAX_QUESTIONS})
        yield read


def _too_few(read: ReadFile) -> Iterator[str]:
    """Yield in lines that there are not enough questions, what was read, and what was left out."""
    yield _(
        "A course needs at least %(least)d questions that can be graded; there are %(count)d. Choose several files together, or a file with more questions."
    ) % {"least": MIN_IMPORTED, "count": len(read.questions)}
    for question in read.questions:
        yield _("Read: %(name)s: %(text)s") % {
            "name": question.place or question.name,
            "text": " ".join(question.stem.split())[:200],
        }
    yield from lines_of(read.skipped[:MAX_REASONS])
    if (more := len(read.skipped) - MAX_REASONS) > 0:
        yield ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more}


def _gradable(read: ReadFile) -> ReadFile:
    """Return the file with the questions that cannot be graded among those left out."""
    good, bad = [], list(read.skipped)
    for question in read.questions:
        try:
            good.append(with_usable_hints(question))
        except QuestionRefused as refused:
            bad.append(Skipped(name=question.place or question.name, reason=str(refused)))
    return replace(read, questions=tuple(good), skipped=tuple(bad))


def changed_draft(
    draft: CourseDraft,
    *,
    head: CourseTerms,
    titles: Mapping[str, str],
    requires: Mapping[str, Iterable[str]],
    left_out: Iterable[str] = (),
) -> CourseDraft:
    """Return the draft with a teacher's changes; a topic can require only topics before it. Raises ImportRefused."""
    out, kept = set(left_out), list[Topic]()
    for topic in draft.topics:
        if topic.id not in out:
            before = {each.id for each in kept}
            wanted = tuple(name for name in requires.get(topic.id, ()) if name in before)
            kept.append(replace(topic, title=plain_title(titles.get(topic.id) or topic.title), requires=wanted))
    if not kept:
        raise ImportRefused(_("Keep at least one topic."))
    return replace(
        draft,
        title=plain_title(head["title"]),
        language=head["language"],
        license=head["license"],
        attribution=head["attribution"],
        topics=tuple(kept),
    )


def draft_to_json(draft: CourseDraft) -> dict[str, Any]:
    """Return the draft as JSON values; `draft_from_json` gives an equal draft."""
    data: dict[str, Any] = _adapter().dump_python(draft, mode="json")
    return data


def draft_from_json(data: dict[str, Any]) -> CourseDraft:
    """Return the draft that `draft_to_json` wrote."""
    return _adapter().validate_python(data)


@cache
def _adapter() -> TypeAdapter[CourseDraft]:
    return TypeAdapter(CourseDraft)
