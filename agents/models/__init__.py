"""The engine's rows: flags and their changes."""

from agents.models.flags import Flag, FlagChange

__all__ = ["Flag", "FlagChange"]
