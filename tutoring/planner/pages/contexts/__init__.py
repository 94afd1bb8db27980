"""What the planner’s pages show: rows and words, ready for the templates."""
