"""The shipped course, and a provider on this machine in both wire formats."""

from collections.abc import Iterator
from typing import Any

import pytest

from agents.limits import ModelLimits
from tests.agents.llm.conftest import KEY
from tests.provider import Answer, Provider
from tests.tutoring.lessons.lesson_player import load_fractions
from tutoring.models import Concept

WRITER, CHECKER = "You write one quiz question", "You solve a quiz question"
"""By these words of their prompts the provider knows the agents."""
QUICK = ModelLimits(pauses_s=(0.001, 0.002), retries_saved=(100, 100), failures=100)


@pytest.fixture
def half(db: None) -> Concept:
    load_fractions()
    return Concept.objects.select_related("course").get(slug="one-half")


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.fixture
def connected(settings: Any, provider: Provider) -> Provider:
    """Let OpenAI's format be spoken, without a fast model to fall back to."""
    return connect(settings, provider, "openai")


@pytest.fixture(params=["anthropic", "openai"])
def each_wire(request: pytest.FixtureRequest, settings: Any, provider: Provider) -> Provider:
    return connect(settings, provider, request.param)


def connect(settings: Any, provider: Provider, wire: str) -> Provider:
    backend = {"anthropic": "anthropic.AnthropicBackend", "openai": "openai.OpenAIBackend"}[wire]
    url = provider.url if wire == "anthropic" else f"{provider.url}/v1"
    options = {"model": "fake-strong", "api_key": KEY, "base_url": url}
    settings.AGENTS = {**settings.AGENTS, "model_limits": QUICK, "turns_per_minute": 0, "cards_per_minute": 0}
    settings.LLMS = {
        alias: {"BACKEND": f"agents.llm.{backend}", "OPTIONS": options} for alias in ("strong", "fast", "vision")
    }
    return provider


def scripted(provider: Provider, written: Any, solved: str | None = None) -> None:
    """Let the writer write this, as an object or as mere text, and the checker come to this answer."""
    given = Answer(text=written) if isinstance(written, str) else Answer(object=written.model_dump(mode="json"))
    provider.script(WRITER, given)
    if solved is not None:
        provider.script(CHECKER, Answer(object={"working": "Half of it.", "answer": solved}))
