"""Turns from start to end: leases, supervision, events, recovery."""
