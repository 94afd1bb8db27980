"""A learner's message in the forms that its readers need: text is put into them here, once, and nowhere else."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tutoring.routing.spelling import tidy
from tutoring.rules.claims import plain
from tutoring.understanding.said_numbers import in_figures
from tutoring.understanding.stances import Claimed, claimed_in

LONGEST: Final = 2_000
"""Characters of a message that are read for what it does: both ends of a longer one. Safety reads all of it."""
LONGEST_REPLY: Final = 300
"""Characters that are compared with an answer that is known."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message. What is made of it is made when it is first asked for."""

    typed: str
    """As it came; of a long one both ends."""

    @cached_property
    def words(self) -> str:
        """In plain words, see `claims.plain`."""
        return plain(self.typed)

    @cached_property
    def tidied(self) -> str:
        """In plain words, short forms written out and slips put right."""
        return tidy(self.typed)

    @cached_property
    def figures(self) -> str:
        """In lower case, numbers in digits."""
        return in_figures(self.typed[:LONGEST_REPLY])

    @cached_property
    def claimed(self) -> tuple[Claimed, ...]:
        """The sentences that its writer claims."""
        return claimed_in(self.typed)

    @cached_property
    def replied(self) -> tuple[Claimed, ...]:
        """The same of a reply to a question: "how big they are" is claimed then, see `claims.is_asking`."""
        return claimed_in(self.typed, replying=True)


def message_of(text: str) -> Message:
    """Return a text as a message."""
    return Message(typed=text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}")
