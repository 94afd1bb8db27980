"""The engine: graphs of roles, runs, events, outcomes, findings. No Django."""
