"""Quizzes: which question comes next, feedback on patterns of errors."""
