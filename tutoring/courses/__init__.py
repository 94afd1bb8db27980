"""Courses: loaded from files, checked, represented as values, turned into exercises."""
