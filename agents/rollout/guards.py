"""Guards: other apps' reasons why a flag must not be changed now. Its kill switch always works."""

from collections.abc import Callable

from django.utils.translation import ngettext

type Guard = Callable[[], str]
"""Returns in a sentence why no step may be taken now, and what to do; empty if it may."""

_guards: dict[str, list[Guard]] = {}


def register_guard(flag: str, guard: Guard) -> None:
    """Register a guard of a flag while apps start; registering it twice is harmless."""
    guards = _guards.setdefault(flag, [])
    if guard not in guards:
        guards.append(guard)


def unregister_guard(flag: str, guard: Guard) -> None:
    """Remove a guard, as tests do."""
    _guards.get(flag, []).remove(guard)


def find_refusal(flag: str) -> str:
    """Return the first reason why a flag must not be changed now; empty if there is none. May query the database."""
    return next(filter(None, (guard() for guard in _guards.get(flag, ()))), "")


def divergence_guard(count: Callable[[], int]) -> Guard:
    """Return a guard that refuses while two stores differ; `count` returns in how many places they do."""

    def guard() -> str:
        divergence = count()
        if divergence == 0:
            return ""
        return ngettext(
            "The two stores differ in %(count)d place. Wait until they are reconciled, then try again.",
            "The two stores differ in %(count)d places. Wait until they are reconciled, then try again.",
            divergence,
        ) % {"count": divergence}

    return guard
