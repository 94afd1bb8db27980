"""Assignments: who gets them, how far each pupil is, and quizzes alone, together and on paper."""
