"""The planner's roles, one per file; importing this package registers them with the engine."""

from agents.engine.registry import register_role
from tutoring.planner.roles import event, food, memory, task

COMPANIONS = (task.ROLE, event.ROLE, food.ROLE, memory.ROLE)

for role in COMPANIONS:
    register_role(role)
