"""A lesson as values: its state, the facts of a turn, what a role's turn results in. Pure."""
