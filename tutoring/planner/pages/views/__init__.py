"""Views of the planner, one module per page."""
