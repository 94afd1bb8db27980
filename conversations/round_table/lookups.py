"""What a table looks up in the library: once for all its collaborators, and for the first round while the initiator speaks."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import Final

from agents.engine.roles import PlannedToolUse
from agents.tools import ToolFailed, ToolResult, ToolUse
from agents.tools import tools as registered_tools
from conversations.tools.library import LibraryArguments

LIBRARY: Final = "library"


class TableLookups:
    """The searches of one table's present round. A search that several collaborators want runs once."""

    def __init__(self) -> None:
        self._found: dict[str, ToolResult] = {}
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

    def forget(self) -> None:
        """Drop what was found: later rounds search for other things, and passages are long."""
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


async def load_ahead(lookups: TableLookups, queries: Iterable[str], use: ToolUse) -> None:
    """Search for these queries at the same time, so that the collaborators find the results there. Failures are left to them."""
    async with asyncio.TaskGroup() as group:
        for query in dict.fromkeys(queries):
            group.create_task(_try(lookups, query, use))


async def _try(lookups: TableLookups, query: str, use: ToolUse) -> None:
    try:
        await lookups.find(query, use)
    except ToolFailed:
        # The collaborator asks again, and is told why.
        return
