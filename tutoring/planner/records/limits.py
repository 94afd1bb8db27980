"""The planner's limits."""

from typing import Final

MOST_ROWS: Final = 50_000
"""Tasks, events, meals or notes, each, in one workspace: enough for a lifetime of any of them. Chosen by hand."""
PAGE_SIZE: Final = 50
"""Rows of one page of a result; the next page starts after it."""
MOST_SUBTASKS: Final = 100
MOST_CHANGED: Final = 500
"""Rows that one change can touch, so that it can be undone at once."""
COMPARED: Final = 2_000
"""The latest rows that are compared by meaning, if their embeddings are known."""
EMBEDDED_AT_ONCE: Final = 100
"""Titles whose embeddings one search computes, the latest first, 1 ms each: the thread of the database waits for it."""
KEPT_VECTORS: Final = 4_096
"""Titles whose embeddings a process keeps: 6 MB."""
LONGEST_TITLE: Final = 300
LONGEST_NOTE: Final = 4_000
