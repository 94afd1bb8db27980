"""A learner's message in the forms that its readers need: text is put into them here, once, and nowhere else."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from tutoring.routing.spelling import tidy
from tutoring.rules.claims import plain
from tutoring.understanding import arithmetic, misconceptions
from tutoring.understanding.context import BEGUN, Context, Prompt
from tutoring.understanding.said_numbers import in_figures
from tutoring.understanding.stances import Claimed, claimed_in
from tutoring.understanding.values import ArithmeticClaim, Evidence

LONGEST: Final = 2_000
"""Characters of a message that are read for what it does: both ends of a longer one. Safety reads all of it."""
LONGEST_REPLY: Final = 300
"""Characters that are compared with an answer that is known."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message in its context. What is made of it is made when it is first asked for."""

    typed: str
    """As it came; of a long one both ends."""
    context: Context = BEGUN

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
        return claimed_in(self.typed, replying=self.context.is_replying)

    @cached_property
    def claims(self) -> tuple[ArithmeticClaim, ...]:
        """What it claims in numbers."""
        return arithmetic.claims_in(self.typed, asked=self.context.asked)

    @cached_property
    def misconceptions(self) -> tuple[Evidence, ...]:
        """The misconceptions that its claims show, the likeliest first."""
        return misconceptions.held(self.claimed, self.context)

    def replying_to(self, prompt: Prompt) -> "Message":
        """Return the message as it is read where another prompt waits for its answer."""
        return replace(self, context=replace(self.context, prompts=(prompt,), waits=True))


def message_of(text: str, context: Context = BEGUN) -> Message:
    """Return a text as a message in its context."""
    read = text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
    return Message(typed=read, context=context)
