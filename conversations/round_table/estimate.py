"""What a round table will cost, before it begins: a rough figure from its size and the prices of the models."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agents.engine.roles import Tier
from agents.people import Person
from agents.runtime.model_chain import models_for_tier
from agents.runtime.speaker_selection import may_ask_model
from conversations.round_table.roster import Seat
from conversations.round_table.summary import MOST_WORDS, SUMMARY_CONTEXT
from conversations.round_table.wording import CONTEXT_CHARACTERS

CHARACTERS_A_TOKEN: Final = 4
TOKENS_A_WORD: Final = 1.4
PROMPT_TOKENS: Final = 900
"""Instructions, tools and the goal, in every call. Chosen by hand for the shipped prompts, rounded up."""
SUB_QUESTION_TOKENS: Final = 50
PASSAGE_TOKENS: Final = 1_500
"""Of the library, for a collaborator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a round table may cost if all its rounds are held."""

    calls: int
    """Of models; uses of tools may add some."""
    tokens: int
    usd: float | None
    """None if the price of one of the models is unknown; 0 if all are free."""


def estimate(person: Person, seats: Sequence[Seat], rounds: int, *, lead: str = "") -> Estimate:
    """Return what a table of these seats may cost the person. Without a model it costs nothing."""
    if not may_ask_model(person, "fast"):
        return Estimate(calls=0, tokens=0, usd=0.0)
    leading = [seat for seat in seats if seat.name == lead]
    said_a_round = sum(seat.most_words for seat in seats) * TOKENS_A_WORD
    asked: list[tuple[Tier, float, float]] = [("fast", PROMPT_TOKENS, 200)]
    for number in range(rounds):
        heard = min(CONTEXT_CHARACTERS / CHARACTERS_A_TOKEN, said_a_round * number)
        asked += [
            (seat.tier, PROMPT_TOKENS + PASSAGE_TOKENS + heard, seat.most_words * TOKENS_A_WORD) for seat in seats
        ]
        # The lead is asked twice.
        asked += [(seat.tier, PROMPT_TOKENS + heard, SUB_QUESTION_TOKENS * (len(seats) - 1)) for seat in leading]
    heard = min(SUMMARY_CONTEXT / CHARACTERS_A_TOKEN, said_a_round * rounds)
    asked.append(("strong", PROMPT_TOKENS + heard, MOST_WORDS * TOKENS_A_WORD))
    costs = [_usd(tier, read, written) for tier, read, written in asked]
    known = [cost for cost in costs if cost is not None]
    return Estimate(
        calls=len(asked),
        tokens=round(sum(read + written for _tier, read, written in asked)),
        usd=sum(known) if len(known) == len(costs) else None,
    )


def _usd(tier: Tier, read: float, written: float) -> float | None:
    models = models_for_tier(tier)
    price = models[0].price if models else None
    return None if price is None else price.usd(read, round(written))
