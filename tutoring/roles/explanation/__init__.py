"""Explanations: cases, worked examples, pace, answers to questions."""
