"""Versions of prompts: the one in force, try-outs, text differences."""
