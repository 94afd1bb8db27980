"""Fault drills: a real server in a process of its own, killed at a marked step, and what must be true afterwards."""
