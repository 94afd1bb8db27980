"""Tokens and cost of model calls, and their sums."""

from dataclasses import replace

from agents.values import value


@value
class Usage:
    """Usage of an answer. Tokens are None if they were not counted, never a guess."""

    backend: str
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    """US dollars; None if the price or the tokens are unknown."""

    def plus(self, later: "Usage") -> "Usage":
        """Return the sum, under the later one's name. A figure unknown in one is unknown in the sum."""
        return replace(
            later,
            input_tokens=_sum(self.input_tokens, later.input_tokens),
            output_tokens=_sum(self.output_tokens, later.output_tokens),
            cost_usd=_sum(self.cost_usd, later.cost_usd),
        )


def _sum[N: (int, float)](first: N | None, second: N | None) -> N | None:
    return None if first is None or second is None else first + second
