"""A course's labelled wordings as training rows, and the questions they reply to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from tutoring.courses.files.course_builder import NO_MISCONCEPTION, OTHER

if TYPE_CHECKING:
    from tutoring.courses.catalogue import CourseContent, LabelledReplies, LabelledSayings
    from tutoring.grading.keys import Idea

NONE: Final = ""
"""Label of a row without a misconception, or without a milestone."""
type Kind = Literal["reply", "milestone", "misconception", "saying"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuestion:
    """A question with labelled replies, and the ideas of a right one, if the course has patterns for them."""

    question: str
    ideas: "Sequence[Idea]" = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSentence:
    """One labelled sentence."""

    text: str
    kind: Kind
    concept: str = ""
    prompt: str = ""
    """What it replies to, see `question_key`; for a sentence against something, the id of that."""
    label: str = ""
    """right, partly or wrong; sayings or against."""
    misconception: str = NONE
    milestone: str = NONE


def question_key(kind: str, name: str) -> str:
    """Return the key of a question; it holds the kind, since pieces, contrast cases and milestones may share an id."""
    return f"{kind}:{name}"


def labelled_questions(course: "CourseContent") -> dict[str, LabelledQuestion]:
    """Return the course's open questions, by key."""
    return dict(_asked(course))


def find_labelled_question(course: "CourseContent", key: str) -> LabelledQuestion | None:
    """Return the question with this key, or None."""
    return next((asked for found, asked in _asked(course) if found == key), None)


def _asked(course: "CourseContent") -> Iterator[tuple[str, LabelledQuestion]]:
    for concept in course.concepts:
        for pieces in (*concept.pieces.values(), concept.examples):
            for piece in pieces:
                yield question_key("piece", piece.id), LabelledQuestion(question=piece.question, ideas=piece.ideas)
        for each in concept.milestones:
            yield (
                question_key("milestone", each.id),
                LabelledQuestion(question=each.ask or each.title, ideas=each.ideas),
            )
    for idea in course.misconceptions.values():
        yield (
            question_key("contrast", idea.id),
            LabelledQuestion(question=idea.contrast.question, ideas=idea.contrast.ideas),
        )


def labelled_sentences(course: "CourseContent") -> list[LabelledSentence]:
    """Return every labelled sentence of a course."""
    return list(_rows(course))


def _rows(course: "CourseContent") -> Iterator[LabelledSentence]:
    for concept in course.concepts:
        known = concept.wordings
        for name, replies in known.replies.items():
            yield from _replies(replies, question_key("piece", name), concept.id)
        for name, replies in known.contrasts.items():
            yield from _replies(replies, question_key("contrast", name), concept.id)
        for name, each in known.milestones.items():
            for row in _sayings(each, question_key("milestone", name), concept.id):
                yield LabelledSentence(**row, kind="milestone", milestone=name if row["label"] == "sayings" else NONE)
        for name, each in known.misconceptions.items():
            for row in _sayings(each, name, concept.id):
                yield LabelledSentence(
                    **row, kind="misconception", misconception=name if row["label"] == "sayings" else NONE
                )
    for name, texts in course.sayings.items():
        shown = NONE if name == NO_MISCONCEPTION else name
        yield from (LabelledSentence(text=text, kind="saying", misconception=shown) for text in texts)


def _replies(replies: "LabelledReplies", prompt: str, concept: str) -> Iterator[LabelledSentence]:
    told: Mapping[str, Sequence[str]] = {"right": replies.right, "partly": replies.partly}
    for label, texts in told.items():
        yield from (
            LabelledSentence(text=text, kind="reply", concept=concept, prompt=prompt, label=label) for text in texts
        )
    for name, texts in replies.wrong.items():
        shown = NONE if name == OTHER else name
        for text in texts:
            yield LabelledSentence(
                text=text, kind="reply", concept=concept, prompt=prompt, label="wrong", misconception=shown
            )  # fmt: skip


def _sayings(each: "LabelledSayings", prompt: str, concept: str) -> Iterator[dict[str, str]]:
    for label, texts in (("sayings", each.sayings), ("against", each.against)):
        yield from ({"text": text, "concept": concept, "prompt": prompt, "label": label} for text in texts)
