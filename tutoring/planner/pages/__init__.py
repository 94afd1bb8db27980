"""The planner's pages: today, week, tasks, meals, notes and settings."""
