"""Decorator for the engine's short-lived value classes: slotted, keyword-only, and frozen for the type checker."""

from dataclasses import dataclass, field
from typing import dataclass_transform


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def value[T](cls: type[T]) -> type[T]:
    """Make a class a value class.

    mypy rejects assignments; at run time nothing checks, because creating a dataclass that is frozen
    at run time takes twice as long, and a turn creates hundreds (`make bench NAME=orch_overhead`).
    """
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)
