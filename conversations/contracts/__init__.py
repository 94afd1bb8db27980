"""Finds what a contract says, by rules: its clauses, obligations, dates, periods and parties."""
