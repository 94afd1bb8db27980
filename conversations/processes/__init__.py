"""Processes that serve turns: their names and heartbeats."""
