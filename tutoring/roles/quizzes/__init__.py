"""Quizzes: which question comes next, and feedback on error patterns."""
