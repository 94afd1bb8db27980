"""The planner's limits."""

from typing import Final

MOST_ROWS: Final = 50_000
"""Tasks, events, meals or notes, each, in one workspace: enough for a lifetime of any of them. Chosen by hand."""
PAGE_SIZE: Final = 50
"""Rows of one page of a result; the next page starts after it."""
MOST_SUBTASKS: Final = 100
MOST_CHANGED: Final = 500
"""Rows that one change can touch, so that it can be undone at once."""
SEARCHED_BY_MEANING: Final = 400
"""The latest rows whose titles are compared by meaning: the first search takes 1 ms for each, 0.4 s. Notes keep theirs."""
KEPT_VECTORS: Final = 4_096
"""Titles whose embeddings a process keeps: 6 MB."""
LONGEST_TITLE: Final = 300
LONGEST_NOTE: Final = 4_000
