"""Exercises: templates filled with drawn parameters, answer keys, pictures."""
