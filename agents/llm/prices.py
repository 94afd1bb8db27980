"""Public prices of models."""

from collections.abc import Sequence
from datetime import date

from agents.values import value


@value
class Price:
    """US dollars per million tokens."""

    input_usd: float
    output_usd: float
    since: date | None = None
    """Date from which the price is known; None for models that cost nothing."""

    def usd(self, read: float, written: int) -> float:
        """Return the cost of these tokens; `read` may be weighted for the provider's cache."""
        return (read * self.input_usd + written * self.output_usd) / 1_000_000


def highest_price(prices: Sequence[Price | None]) -> Price | None:
    """Return a price that none of these exceeds; None if one of them is unknown."""
    known = [price for price in prices if price is not None]
    if len(known) < len(prices):
        return None
    return Price(input_usd=max(each.input_usd for each in known), output_usd=max(each.output_usd for each in known))


FREE = Price(input_usd=0.0, output_usd=0.0)
"""For models on this machine."""
KNOWN_PRICES = {
    "claude-opus-4-6": Price(input_usd=5.0, output_usd=25.0, since=date(2026, 3, 21)),
    "claude-sonnet-4-6": Price(input_usd=3.0, output_usd=15.0, since=date(2026, 3, 21)),
    "claude-haiku-4-5": Price(input_usd=1.0, output_usd=5.0, since=date(2026, 3, 21)),
}
"""Model → price. Other prices are unknown: budgets then count tokens."""
