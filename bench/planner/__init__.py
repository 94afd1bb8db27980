"""Scores of the planner's rules on labelled sets."""
