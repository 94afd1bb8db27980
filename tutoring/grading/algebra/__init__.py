"""Comparing values and expressions: canonical forms, units, intervals, relations."""
