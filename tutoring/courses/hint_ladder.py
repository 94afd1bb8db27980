"""The rungs of a hint ladder: pointing, teaching, the way, the solution."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    pass


LAST_RUNG: Final = 5
