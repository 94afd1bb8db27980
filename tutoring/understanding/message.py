"""A learner's message in the normalized forms that the readers need; each form is computed here, once."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from tutoring.understanding.classifiers import misconceptions
from tutoring.understanding.classifiers.misconceptions import LikeliestIdea
from tutoring.understanding.context import NEW_CONTEXT, Context, Prompt
from tutoring.understanding.message_analysis import ArithmeticClaim, Evidence
from tutoring.understanding.parsing import numeric_claims
from tutoring.understanding.parsing.assertions import plain_text
from tutoring.understanding.parsing.claimed_sentences import ClaimedSentence, find_claimed_sentences
from tutoring.understanding.parsing.commitments import before_reason
from tutoring.understanding.parsing.spelling_cleanup import tidy_text
from tutoring.understanding.parsing.spoken_numbers import spell_in_digits

# A wish stands at one end of a long message; 2,000 characters keep the classifiers within milliseconds. By hand.
LONGEST: Final = 2_000
"""Characters of a message that are analyzed: both ends of a longer one. The safety check reads all of it."""
# A reply to a question is a sentence or two; pasted texts are no answers. Chosen by hand.
LONGEST_REPLY: Final = 300
"""Characters that are compared with a known answer."""


@dataclass(frozen=True, kw_only=True)
class MessageText:
    """One message in its context. Derived forms are computed on first use."""

    typed: str
    """As it came; of a long one both ends."""
    context: Context = NEW_CONTEXT

    @cached_property
    def words(self) -> str:
        """Normalized by `assertions.plain_text`."""
        return plain_text(self.typed)

    @cached_property
    def tidied(self) -> str:
        """Plain text with short forms expanded and typing errors corrected."""
        return tidy_text(self.typed)

    @cached_property
    def figures(self) -> str:
        """In lower case, numbers in digits."""
        return spell_in_digits(self.typed[:LONGEST_REPLY])

    @cached_property
    def claimed(self) -> tuple[ClaimedSentence, ...]:
        """The sentences that its writer claims."""
        return find_claimed_sentences(self.typed, replying=self.context.is_replying)

    @cached_property
    def claims(self) -> tuple[ArithmeticClaim, ...]:
        """Its numeric claims, without true ones that are the reason for a value: "8 because 5 + 3 is 8".

        In a lesson about programs there are none: "11 % 4 is 0.44" is about what Python does.
        """
        if self.context.is_about_programs:
            return ()
        found = numeric_claims.find_numeric_claims(self.typed, asked=self.context.asked)
        value = before_reason(self.words)
        if value == self.words or not any(map(str.isdigit, value)):
            return found
        stated = {each.statement for each in numeric_claims.find_numeric_claims(value, asked=self.context.asked)}
        return tuple(each for each in found if not each.holds or each.statement in stated)

    @cached_property
    def misconceptions(self) -> tuple[Evidence, ...]:
        """The misconceptions that its claims show, the likeliest first."""
        return misconceptions.misconceptions_shown(self.likeliest_ideas, self.context)

    @cached_property
    def likeliest_ideas(self) -> tuple[LikeliestIdea, ...]:
        """The likeliest misconception of each sentence that it claims."""
        return misconceptions.likeliest_ideas(self.claimed, self.context)

    def replying_to(self, prompt: Prompt) -> "MessageText":
        """Return the message with another prompt as the open one."""
        return replace(self, context=replace(self.context, prompts=(prompt,), waits=True))


def make_message(text: str, context: Context = NEW_CONTEXT) -> MessageText:
    """Return a text as a message in its context."""
    read = text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
    return MessageText(typed=read, context=context)
