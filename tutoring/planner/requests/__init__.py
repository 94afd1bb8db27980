"""Reads the planner requests in a message by rules. Pure."""
