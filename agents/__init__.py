"""The engine: roles, graphs, runs. Values in, events out; it knows no session and no topic."""
