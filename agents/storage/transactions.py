"""Transactions in which no embedded model is run: it is run before them."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps

from django.db import connection

from agents.local_models.inference import InferenceNeeded

logger = logging.getLogger(__name__)

MAX_RERUNS = 16
"""A transaction that needs more of models than this is no longer begun again: it runs them, and the log tells."""
raise_on_inference = False
"""Whether a model run in a transaction is an error; otherwise the log tells. Tests and drills set it."""

_may_begin_again: ContextVar[bool] = ContextVar("may_begin_again", default=False)


class InferenceInTransaction(RuntimeError):
    """A model would be run in a transaction that does not begin again without it."""


def is_transaction_open() -> bool:
    """Whether this thread holds a transaction of the program's own, not of a test's."""
    return any(not block._from_testcase for block in connection.atomic_blocks)  # type: ignore[attr-defined]  # Django's.


def forbids_inference() -> bool:
    """Whether no model may be run now, since its transaction can begin again. Raise ModelInTransaction where it cannot."""
    if not is_transaction_open():
        return False
    if _may_begin_again.get():
        return True
    if raise_on_inference:
        raise InferenceInTransaction("a model is run while a transaction is open")
    logger.error("a model is run while a transaction is open", stack_info=True)
    return False


@contextmanager
def restartable(is_so: bool = True) -> Iterator[None]:
    """Let ModelNeeded be raised in the transactions of this block: who opens them begins them again."""
    token = _may_begin_again.set(is_so)
    try:
        yield
    finally:
        _may_begin_again.reset(token)


def rerun_after_inference[**P, R](work: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that is a transaction as a whole, and may be done again after it was undone.

    Where it needs a model, it is undone, the model is run, and it is done again. Within another transaction that one
    is begun again.
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
