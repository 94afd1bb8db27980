"""Courses that a person makes from a document of their own, with questions taken from its text."""
