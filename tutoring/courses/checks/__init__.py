"""Checks of a course: its sentences, exercises and keys."""
