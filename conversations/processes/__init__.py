"""The processes that serve turns: their identity and their heartbeats."""
