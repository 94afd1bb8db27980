"""Courses: read from files, checked, kept as values, and turned into exercises."""
