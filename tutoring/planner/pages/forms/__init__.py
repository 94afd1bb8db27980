"""The planner’s forms."""
