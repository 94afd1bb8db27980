"""Times: phrases in messages, recurrence, conflicts, free slots and study plans. Pure functions on values."""
