"""Running embedded models outside database transactions, because others wait for a transaction's locks.

Results are cached by arguments. Inside a transaction only cached results are available; for anything else the
transaction is rolled back, the model runs, and the transaction starts again (`agents.storage.transactions`).
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, cast


def _never() -> bool:
    return False


is_forbidden: Callable[[], bool] = _never
"""Returns whether no model may run now. Set by the code that holds locks; the engine itself holds none."""


class InferenceNeeded(Exception):
    """A model has to run before the transaction that needs its result. Not an error."""

    def __init__(self, run: Callable[[], object]) -> None:
        super().__init__("a model has to run before this transaction")
        self.run = run
        """Runs the model; the result is cached."""


def cached_inference[**P, R](*, remembered: int | None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function that loads or runs a model: results of the latest calls are cached, all if None.

    Arguments must be hashable. Raises InferenceNeeded if a model must not run now.
    """

    def decorate(work: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=remembered)
        def known(*args: Any, **kwargs: Any) -> R:
            if is_forbidden():
                raise InferenceNeeded(partial(known, *args, **kwargs))
            return work(*args, **kwargs)

        return cast("Callable[P, R]", known)

    return decorate
