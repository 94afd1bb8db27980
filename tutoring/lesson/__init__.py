"""A lesson as values: its state, the facts of a turn, the results of roles. Pure."""
