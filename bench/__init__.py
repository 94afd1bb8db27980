"""Benchmarks: what the program costs beside its floor and its peers, in CPU time and in ratios."""
