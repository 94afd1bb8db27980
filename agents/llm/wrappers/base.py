"""Base class of backend wrappers."""

from agents.llm.base import LLMBackend


class BackendWrapper(LLMBackend):
    """Adds one behavior to a backend; name, model and location are those of the wrapped backend."""

    def __init__(self, inner: LLMBackend) -> None:
        self.inner = inner
        self.name = inner.name
        self.model = inner.model
        self.abilities = inner.abilities
        self.price = inner.price
        self.calls_outside = inner.calls_outside
        self.is_local = inner.is_local

    async def aopen(self) -> None:
        await self.inner.aopen()
