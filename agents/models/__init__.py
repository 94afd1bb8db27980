"""The engine's models: figures of runs and calls, budgets, flags, prompts, and their changes."""

from agents.models.alerts import Alert
from agents.models.budgets import Budget, BudgetChange, Spending
from agents.models.flags import Flag, FlagChange, PlannedChange
from agents.models.model_calls import ModelCall
from agents.models.periodic_work import PeriodicWork
from agents.models.prompts import PromptVersion
from agents.models.routing import RoutedMessage, RoutingWords
from agents.models.runs import AgentCall, Run

__all__ = [
    "AgentCall",
    "Alert",
    "Budget",
    "BudgetChange",
    "Flag",
    "FlagChange",
    "ModelCall",
    "PeriodicWork",
    "PlannedChange",
    "PromptVersion",
    "RoutedMessage",
    "RoutingWords",
    "Run",
    "Spending",
]
