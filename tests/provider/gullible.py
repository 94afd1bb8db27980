"""A model that obeys whatever it reads."""

from collections.abc import Callable

from tests.provider.answers import Answer
from tests.provider.asked import Asked


def obedient() -> Callable[[Asked], Answer]:
    return lambda asked: Answer(text=asked.last)
