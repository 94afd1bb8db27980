"""A session's turns with a model behind them: a provider on this machine, asked by the real SDK."""

from typing import Any

from agents.engine.roles import Plan, Role, Wording
from agents.limits import ModelLimits
from agents.llm.prices import Price
from agents.llm.prompt import make_prompt
from tests.provider import Provider

KEY = "sk-ant-CANARY0123456789"
PRICE = Price(input_usd=3, output_usd=15)
AUTHORED = "Look at the picture again."
WORDED = "You counted the pieces: two. What was missing?"
PROMPT = make_prompt("tutor", "You are a tutor.")
ROLE = Role(
    name="speaker",
    purpose="Words a plan.",
    plan=lambda request: Plan(say=(Wording(words=AUTHORED, task="React."),)),
    prompt=PROMPT,
    speaks=True,
    tier="strong",
)
LIMITS = ModelLimits(attempts=1, pauses_s=(0, 0), first_piece_s=25)
"""The first question imports the SDK, which takes seconds on a busy machine."""


def models_of(provider: Provider) -> dict[str, Any]:
    """Return `settings.LLMS` with one model for every tier."""
    options = {"model": "fake-strong", "api_key": KEY, "base_url": provider.url, "price": PRICE}
    backend = {"BACKEND": "agents.llm.anthropic.AnthropicBackend", "OPTIONS": options}
    return dict.fromkeys(("strong", "fast", "vision"), backend)
