"""A stand-in for model providers: speaks Anthropic's and OpenAI's wire formats on this machine, as well or as badly as told."""

from tests.provider.answers import Answer
from tests.provider.server import Provider

__all__ = ["Answer", "Provider"]
