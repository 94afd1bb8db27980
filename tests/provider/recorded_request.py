"""What the stand-in remembers of a request."""

import threading
from dataclasses import dataclass, field
from typing import Any

from tests.provider.model_request import ProviderRequest


@dataclass(slots=True, kw_only=True)
class RecordedRequest:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    """Names lowercased."""
    body: Any
    asked: ProviderRequest | None
    """None where it was no question to a model."""
    fault: str = ""
    """What was done to it."""
    left_early: bool = False
    """Whether the client hung up before it had its answer."""
    ended: threading.Event = field(default_factory=threading.Event, repr=False)
    """Set when the answer is sent, or the client has left."""
