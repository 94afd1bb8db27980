"""What a page says of the models: which one answers now, or that none does at present, or that none is connected."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agents.chain import breakers
from agents.llm.breaker import Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    state: Literal["none", "connected", "degraded"]
    provider: str = ""
    """The backend's name."""
    model: str = ""
    since: datetime | None = None
    """Since when no model answers, as far as this process knows."""
    trouble: Trouble | None = None
    """Why not."""


def connection() -> Connection:
    """Return how this process stands with its models for text, judged by how the latest call of each ended."""
    known = breakers("strong") or breakers("fast")
    if not known:
        return Connection(state="none")
    for model in known:
        if model.trouble is None:
            return Connection(state="connected", provider=model.name, model=model.model)
    first = known[0]
    since = max(filter(None, (model.circuit.status().failing_since for model in known)), default=None)
    return Connection(state="degraded", provider=first.name, model=first.model, since=since, trouble=first.trouble)
