"""The engine: graphs of roles, runs, events, outcomes, findings. It does not import Django."""
