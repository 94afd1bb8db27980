"""Parsing answers: tokens, expressions, numbers and sentences."""
