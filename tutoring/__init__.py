"""Learning: courses, questions, mastery, cycles, classes."""
