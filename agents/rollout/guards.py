"""Guards: other apps' reasons why a flag must not be changed now. Its kill switch always works."""

from collections.abc import Callable

from agents.rollout.rule import RolloutRule

type Guard = Callable[[RolloutRule, RolloutRule], str]
"""Returns in words why the first rule must not be replaced by the second now, and what to do; empty if it may."""

_guards: dict[str, list[Guard]] = {}


def register_guard(flag: str, guard: Guard) -> None:
    """Register a guard of a flag while apps start; registering it twice is harmless."""
    guards = _guards.setdefault(flag, [])
    if guard not in guards:
        guards.append(guard)


def unregister_guard(flag: str, guard: Guard) -> None:
    """Remove a guard, as tests do."""
    _guards.get(flag, []).remove(guard)


def find_refusal(flag: str, before: RolloutRule, after: RolloutRule) -> str:
    """Return the first reason why a flag's rule must not be replaced now; empty if there is none. May query."""
    return next(filter(None, (guard(before, after) for guard in _guards.get(flag, ()))), "")
