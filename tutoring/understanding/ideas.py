"""Which of a course's misconceptions, milestones and ideas a message says, in its writer's own claims."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutoring.grading.texts import coverage
from tutoring.understanding import milestones
from tutoring.understanding.course_rows import asked_for, key_of
from tutoring.understanding.message import Message
from tutoring.understanding.stances import Claimed
from tutoring.understanding.values import Evidence

if TYPE_CHECKING:
    from tutoring.understanding.context import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Ideas:
    """What a message says of the course that is taught, the likeliest first."""

    misconceptions: tuple[Evidence, ...] = ()
    milestones: tuple[Evidence, ...] = ()
    ideas: tuple[Evidence, ...] = ()
    """Of the answer to the question that waits in open words, by the names of its patterns."""


def read(message: Message) -> Ideas:
    """Return what a message says of the course; nothing without one. Pure; some milliseconds.

    Without heads for the course its patterns alone are read.
    """
    said, context = message.claimed, message.context
    if context.course is None or not said:
        return Ideas()
    wrong = message.misconceptions
    return Ideas(
        misconceptions=wrong,
        milestones=milestones.said_in(said, context, wrong=frozenset(each.id for each in wrong)),
        ideas=tuple(_ideas(said, context)),
    )


def _ideas(said: Sequence[Claimed], context: "Context") -> Iterator[Evidence]:
    if context.course is None or not context.is_replying:
        return
    prompt = context.prompts[0]
    asked = asked_for(context.course, key_of(prompt.kind, prompt.id))
    if asked is None:
        return
    known = set()
    for each in said:
        for name in coverage(asked.ideas, each.words).said:
            if name not in known:
                known.add(name)
                yield Evidence(id=name, probability=1.0, quote=each.quote)
