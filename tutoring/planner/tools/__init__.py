"""The tools of the planner agents."""
