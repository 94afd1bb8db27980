"""Finds the misconceptions, milestones and ideas of a course that a message asserts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutoring.grading.judges.texts import idea_coverage
from tutoring.understanding.classifiers import milestones
from tutoring.understanding.classifiers.labelled_sentences import find_labelled_question, question_key
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import Evidence
from tutoring.understanding.parsing.claimed_sentences import ClaimedSentence

if TYPE_CHECKING:
    from tutoring.understanding.context import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIdeas:
    """What a message asserts about the current course, the likeliest first."""

    misconceptions: tuple[Evidence, ...] = ()
    milestones: tuple[Evidence, ...] = ()
    ideas: tuple[Evidence, ...] = ()
    """Ideas of the open question's answer that the message states, by name."""


def read_ideas(message: MessageText) -> FoundIdeas:
    """Return what a message asserts about the course; empty without one. Pure; some milliseconds.

    Without heads for the course only its patterns are used.
    """
    said, context = message.claimed, message.context
    if context.course is None or not said:
        return FoundIdeas()
    wrong = message.misconceptions
    return FoundIdeas(
        misconceptions=wrong,
        milestones=milestones.milestones_said(said, context, wrong=frozenset(each.id for each in wrong)),
        ideas=tuple(_ideas(said, context)),
    )


def _ideas(said: Sequence[ClaimedSentence], context: "Context") -> Iterator[Evidence]:
    if context.course is None or not context.is_replying:
        return
    prompt = context.prompts[0]
    asked = find_labelled_question(context.course, question_key(prompt.kind, prompt.id))
    if asked is None:
        return
    known = set()
    for each in said:
        for name in idea_coverage(asked.ideas, each.words).said:
            if name not in known:
                known.add(name)
                # Found by the course's patterns, which fit or do not.
                yield Evidence(id=name, probability=1.0, quote=each.quote)
