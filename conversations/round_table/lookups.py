"""What a table looks up in the library: once for all its collaborators, and for the first round while the initiator speaks."""

import asyncio
from collections import defaultdict
from functools import partial
from typing import Final

from agents.engine.roles import PlannedToolUse
from agents.event_log import get_logger
from agents.tools import ToolResult, ToolUse
from agents.tools import tools as registered_tools
from conversations.tools.library import LibraryArguments

logger = get_logger(__name__)

LIBRARY: Final = "library"


class TableLookups:
    """The searches of one table's present round. A search that several collaborators want runs once."""

    def __init__(self) -> None:
        self._found: dict[str, ToolResult] = {}
        self._ahead: set[asyncio.Task[None]] = set()
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def find(self, query: str, use: ToolUse) -> ToolResult:
        """Return what the library has on a query; waits for a search that runs already. Raises what the tool raises."""
        # If the one that searches is cut off, the next one that waits searches again.
        async with self._locks[query]:
            if query not in self._found:
                # The library does not wait for documents that are still being read: a round has 30 seconds for all of it.
                arguments = LibraryArguments(query=query, waits=False)
                self._found[query] = await registered_tools[LIBRARY].run(arguments, use)
            return self._found[query]

    def begin(self, query: str, use: ToolUse) -> None:
        """Start a search that a collaborator will want; nobody waits for it until then."""
        task = asyncio.create_task(self._try(query, use))
        self._ahead.add(task)
        task.add_done_callback(self._ahead.discard)

    async def _try(self, query: str, use: ToolUse) -> None:
        try:
            # A table that is stopped leaves no search behind for longer than this.
            async with asyncio.timeout(registered_tools[LIBRARY].timeout_s):
                await self.find(query, use)
        except Exception:
            # The collaborator searches again, and is told why it cannot.
            logger.info("search_ahead_failed", exc_info=True)

    def forget(self) -> None:
        """Drop what was found: later rounds search for other things, and passages are long."""
        for task in self._ahead:
            task.cancel()
        self._found.clear()
        self._locks.clear()


def planned_lookup(lookups: TableLookups, query: str, *, then: object) -> PlannedToolUse:
    """Return the use of the library for a query, answered from what the table has found already."""
    return PlannedToolUse(
        tool=LIBRARY,
        arguments=LibraryArguments(query=query, waits=False),
        then=then,  # type: ignore[arg-type]  # As in PlannedToolUse.
        run=partial(lookups.find, query),
    )
