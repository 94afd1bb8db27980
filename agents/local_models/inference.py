"""Where embedded models are loaded and run: never while a transaction is open, whose locks others wait for.

What a model is loaded or run for is remembered by its arguments. Within a transaction only what is remembered is given;
for anything else the transaction is undone, the model is run, and the transaction begins again (`agents.storage.transactions`).
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, cast


def _never() -> bool:
    return False


is_forbidden: Callable[[], bool] = _never
"""Whether no model may be run now. Whoever holds locks tells; the engine itself holds none."""


class InferenceNeeded(Exception):
    """A model has to be run before the transaction that needs its outcome. Not an error of anybody's."""

    def __init__(self, run: Callable[[], object]) -> None:
        super().__init__("a model has to be run before this transaction")
        self.run = run
        """Runs it; what comes of it is remembered."""


def cached_inference[**P, R](*, remembered: int | None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function that loads or runs a model: the outcomes of the latest calls are remembered, None for all.

    Arguments must be hashable. Raises ModelNeeded where a model must not be run now.
    """

    def decorate(work: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=remembered)
        def known(*args: Any, **kwargs: Any) -> R:
            if is_forbidden():
                raise InferenceNeeded(partial(known, *args, **kwargs))
            return work(*args, **kwargs)

        return cast("Callable[P, R]", known)

    return decorate
