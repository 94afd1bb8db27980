"""The engine's rows: figures of runs, flags and their changes."""

from agents.models.flags import Flag, FlagChange
from agents.models.prompts import PromptVersion
from agents.models.runs import AgentCall, Run

__all__ = ["AgentCall", "Flag", "FlagChange", "PromptVersion", "Run"]
