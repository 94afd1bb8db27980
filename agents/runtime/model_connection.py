"""Connection status of the models, for pages: which one answers now, that none does, or that none is connected."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agents.llm.wrappers.circuit_breaker import ModelTrouble
from agents.runtime.model_chain import breakers_for_tier


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConnection:
    state: Literal["none", "connected", "degraded"]
    provider: str = ""
    """The backend's name."""
    model: str = ""
    since: datetime | None = None
    """Since when no model answers, as far as this process knows."""
    trouble: ModelTrouble | None = None
    """Why no model answers."""


def current_connection(*, inside_only: bool = False) -> ModelConnection:
    """Return the status of this process's text models, judged by how the latest call of each ended.

    `inside_only`: of those that get no words outside this site.
    """
    known = breakers_for_tier("strong", inside_only=inside_only) or breakers_for_tier("fast", inside_only=inside_only)
    if not known:
        return ModelConnection(state="none")
    for model in known:
        if model.trouble is None:
            return ModelConnection(state="connected", provider=model.name, model=model.model)
    first = known[0]
    since = max(filter(None, (model.circuit.status().failing_since for model in known)), default=None)
    return ModelConnection(state="degraded", provider=first.name, model=first.model, since=since, trouble=first.trouble)
