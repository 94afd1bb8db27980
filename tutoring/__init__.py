"""What is learned: courses, questions, mastery, cycles, classes."""
