"""What every backend shares that wraps another one."""

from agents.llm.base import LLMBackend


class BackendWrapper(LLMBackend):
    """Adds one thing to a backend, and is else what that is: its name, its model, where it runs."""

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
