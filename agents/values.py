"""How the engine's short-lived values are made: slotted, keyword-only, and frozen to the type checker."""

from dataclasses import dataclass, field
from typing import dataclass_transform


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def value[T](cls: type[T]) -> type[T]:
    """Make a class a value.

    mypy refuses to change one; the running program does not look, because a dataclass that is frozen
    at run time takes twice as long to make, and a turn makes hundreds (`make bench NAME=orch_overhead`).
    """
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)
