"""What models cost, as far as it is publicly known."""

from datetime import date

from agents.values import value


@value
class Price:
    """US dollars per million tokens."""

    input_usd: float
    output_usd: float
    since: date | None = None
    """The day on which this was the price; None for what nobody is paid for."""

    def usd(self, read: float, written: int) -> float:
        """Return what so many tokens cost; `read` may be weighted by what the provider's cache costs and saves."""
        return (read * self.input_usd + written * self.output_usd) / 1_000_000


FREE = Price(input_usd=0.0, output_usd=0.0)
"""For a model on this machine."""
KNOWN_PRICES = {
    "claude-opus-4-6": Price(input_usd=5.0, output_usd=25.0, since=date(2026, 3, 21)),
    "claude-sonnet-4-6": Price(input_usd=3.0, output_usd=15.0, since=date(2026, 3, 21)),
    "claude-haiku-4-5": Price(input_usd=1.0, output_usd=5.0, since=date(2026, 3, 21)),
}
"""Model → its price. What is not here is unknown: budgets then count tokens."""
