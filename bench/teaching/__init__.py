"""Simulated learners before the rules of teaching: for comparing rules and for goals, no claim about people."""
