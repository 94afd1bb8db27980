"""The rungs of a hint ladder: pointing, teaching, the way, the solution."""

from typing import Final

LAST_RUNG: Final = 5
WORKED_RUNG: Final = LAST_RUNG - 1
"""The hint that is a worked example like the question."""
