"""A course's labelled wordings as rows that classifiers are fitted to, and the questions they reply to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from tutoring.courses.building import NO_MISCONCEPTION, OTHER

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Course, Replies, Sayings
    from tutoring.grading.keys import Idea

NONE: Final = ""
"""Of a row: no misconception, or no milestone."""
type Kind = Literal["reply", "milestone", "misconception", "saying"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with labelled replies, and the ideas that a right one says, where patterns tell them."""

    question: str
    ideas: "Sequence[Idea]" = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One labelled sentence."""

    text: str
    kind: Kind
    concept: str = ""
    prompt: str = ""
    """What it replies to, see `key_of`; of a sentence against something, the id of that."""
    label: str = ""
    """right, partly or wrong; sayings or against."""
    misconception: str = NONE
    milestone: str = NONE


def key_of(kind: str, name: str) -> str:
    """Return how a question is called here: pieces, contrast cases and milestones may share an id."""
    return f"{kind}:{name}"


def asked_in(course: "Course") -> dict[str, Asked]:
    """Return the course's questions with open words, by key."""
    return dict(_asked(course))


def asked_for(course: "Course", key: str) -> Asked | None:
    """Return one of the questions; None for a key that the course does not have."""
    return next((asked for found, asked in _asked(course) if found == key), None)


def _asked(course: "Course") -> Iterator[tuple[str, Asked]]:
    for concept in course.concepts:
        for pieces in (*concept.pieces.values(), concept.examples):
            for piece in pieces:
                yield key_of("piece", piece.id), Asked(question=piece.question, ideas=piece.ideas)
        for each in concept.milestones:
            yield key_of("milestone", each.id), Asked(question=each.ask or each.title, ideas=each.ideas)
    for idea in course.misconceptions.values():
        yield key_of("contrast", idea.id), Asked(question=idea.contrast.question, ideas=idea.contrast.ideas)


def rows_of(course: "Course") -> list[Row]:
    """Return every labelled sentence of a course."""
    return list(_rows(course))


def _rows(course: "Course") -> Iterator[Row]:
    for concept in course.concepts:
        known = concept.wordings
        for name, replies in known.replies.items():
            yield from _replies(replies, key_of("piece", name), concept.id)
        for name, replies in known.contrasts.items():
            yield from _replies(replies, key_of("contrast", name), concept.id)
        for name, each in known.milestones.items():
            for row in _sayings(each, key_of("milestone", name), concept.id):
                yield Row(**row, kind="milestone", milestone=name if row["label"] == "sayings" else NONE)
        for name, each in known.misconceptions.items():
            for row in _sayings(each, name, concept.id):
                yield Row(**row, kind="misconception", misconception=name if row["label"] == "sayings" else NONE)
    for name, texts in course.sayings.items():
        shown = NONE if name == NO_MISCONCEPTION else name
        yield from (Row(text=text, kind="saying", misconception=shown) for text in texts)


def _replies(replies: "Replies", prompt: str, concept: str) -> Iterator[Row]:
    told: Mapping[str, Sequence[str]] = {"right": replies.right, "partly": replies.partly}
    for label, texts in told.items():
        yield from (Row(text=text, kind="reply", concept=concept, prompt=prompt, label=label) for text in texts)
    for name, texts in replies.wrong.items():
        shown = NONE if name == OTHER else name
        for text in texts:
            yield Row(
                text=text, kind="reply", concept=concept, prompt=prompt, label="wrong", misconception=shown
            )  # fmt: skip


def _sayings(each: "Sayings", prompt: str, concept: str) -> Iterator[dict[str, str]]:
    for label, texts in (("sayings", each.sayings), ("against", each.against)):
        yield from ({"text": text, "concept": concept, "prompt": prompt, "label": label} for text in texts)
