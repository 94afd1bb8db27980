"""The companion's own surface: a message and its answer, and the state of its session."""
