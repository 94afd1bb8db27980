"""Versions of prompts: the active one, try-outs, text differences."""
