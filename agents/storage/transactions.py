"""Transactions that never run an embedded model inside: it runs before them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps

from django.db import connection

from agents.event_log import get_logger
from agents.local_models.inference import InferenceNeeded

logger = get_logger(__name__)

MAX_RERUNS = 16
"""A transaction that needs more model results than this is not restarted: it runs the models, and logs it."""
raise_on_inference = False
"""Whether running a model in a transaction is an error; otherwise it is logged. Tests and drills set it."""

_may_begin_again: ContextVar[bool] = ContextVar("may_begin_again", default=False)


class InferenceInTransaction(RuntimeError):
    """A model would run in a transaction that cannot be restarted."""


def is_transaction_open() -> bool:
    """Return whether this thread has an open transaction of the program, not of a test."""
    return any(not block._from_testcase for block in connection.atomic_blocks)  # type: ignore[attr-defined]  # Django's.


def forbids_inference() -> bool:
    """Return whether no model may run now (its transaction restarts). Raises InferenceInTransaction if it cannot."""
    if not is_transaction_open():
        return False
    if _may_begin_again.get():
        return True
    if raise_on_inference:
        raise InferenceInTransaction("a model ran while a transaction was open")
    logger.error("model_ran_in_transaction", stack_info=True)
    return False


@contextmanager
def restartable(is_so: bool = True) -> Iterator[None]:
    """Allow ModelNeeded in the transactions of this block: the code that opens them restarts them."""
    token = _may_begin_again.set(is_so)
    try:
        yield
    finally:
        _may_begin_again.reset(token)


def rerun_after_inference[**P, R](work: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that is one whole transaction and can be repeated after a rollback.

    If it needs a model, it is rolled back, the model runs, and the function runs again. Inside another transaction
    the outer one is restarted.
    """

    @wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> R:
        if is_transaction_open():
            return work(*args, **kwargs)
        for _run in range(MAX_RERUNS):
            try:
                with restartable():
                    return work(*args, **kwargs)
            except InferenceNeeded as needed:
                run = needed.run
            run()
        return work(*args, **kwargs)

    return done
