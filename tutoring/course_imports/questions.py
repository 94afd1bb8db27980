"""Questions read from a file of another program, and the errors of such files."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _

MAX_QUESTIONS: Final = 4_000
"""Of one file, and of all files of a course. They have about 3 MB."""
MAX_PARTS: Final = 200
"""Answers and hints of one question."""
UNREADABLE: Final = "\ufffd"
"""Stands for a character that is no character."""

type QuestionKind = Literal["choice", "multi", "numeric", "expression", "text", "match", "order"]


class ImportRefused(ValueError):
    """A file that cannot be imported at all; the text tells a person why."""

    def __init__(self, reason: str | Promise) -> None:
        super().__init__(str(reason))


class QuestionRefused(ValueError):
    """A question that cannot be taken; the text tells a person why."""

    def __init__(self, reason: str | Promise) -> None:
        super().__init__(str(reason))


def check_amount(questions: int, *, name: str) -> None:
    """Raise ImportRefused for a file with more than MAX_QUESTIONS questions. Readers ask before they read the next one."""
    if questions > MAX_QUESTIONS:
        raise ImportRefused(
            _("%(file)s has more than %(limit)d questions. Split it.") % {"file": name, "limit": MAX_QUESTIONS}
        )


def check_parts(parts: int) -> None:
    """Raise QuestionRefused for a question with more than MAX_PARTS answers and hints. Readers ask before they read them."""
    if parts > MAX_PARTS:
        raise QuestionRefused(_("It has more than %(limit)d answers and hints.") % {"limit": MAX_PARTS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option to choose; `feedback` is what the author says to those who choose it. Both are Markdown."""

    text: str
    is_right: bool = False
    feedback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """A hint that is a smaller question, with its answer. Both are Markdown."""

    ask: str
    answer: str

    def __str__(self) -> str:
        return self.ask


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedQuestion:
    """One question. Texts are Markdown; `name` is its own, and `place` tells where in the file it is, if that differs.

    `options` of an order stand in the right order. `accepted` are the answers graded right (numeric, expression and
    text); a `tolerance` belongs to a number. `pairs` and `spare` belong to a match.
    """

    name: str
    kind: QuestionKind
    stem: str
    options: tuple[Option, ...] = ()
    accepted: tuple[str, ...] = ()
    tolerance: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    spare: tuple[str, ...] = ()
    hints: tuple[str | Scaffold, ...] = ()
    explanation: str = ""
    topic: str = ""
    shuffle: bool = True
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A question that was not taken, and why."""

    name: str
    reason: str


def lines_of(skipped: Iterable[Skipped]) -> list[str]:
    """Return what was left out, each question in one line."""
    lines = (_("Left out: %(name)s: %(reason)s") % {"name": each.name, "reason": each.reason} for each in skipped)
    return [" ".join(line.split()) for line in lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """What was read from a file. `licenses` and `sources` are those that the file names, each once."""

    questions: tuple[ImportedQuestion, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    title: str = ""
    licenses: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def joined(files: Iterable[ReadFile]) -> ReadFile:
    """Return several files as one, with the first title; a question that comes twice is taken once."""
    every = list(files)
    return ReadFile(
        questions=tuple(dict.fromkeys(question for each in every for question in each.questions)),
        skipped=tuple(dict.fromkeys(skipped for each in every for skipped in each.skipped)),
        title=next((each.title for each in every if each.title), ""),
        licenses=tuple(dict.fromkeys(license for each in every for license in each.licenses)),
        sources=tuple(dict.fromkeys(source for each in every for source in each.sources)),
    )
