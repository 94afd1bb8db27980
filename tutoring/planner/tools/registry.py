"""All tools of the planner, for the app to register."""

from agents.tools import Tool
from tutoring.planner.tools import common, events, food, memory, study, tasks

PLANNER_TOOLS: tuple[Tool, ...] = (
    *tasks.TOOLS,
    *events.TOOLS,
    *study.TOOLS,
    *food.TOOLS,
    *memory.TOOLS,
    *common.TOOLS,
)
