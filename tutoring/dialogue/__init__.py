"""Runs a lesson as a conversation: what a turn knows, which graph serves it, what is stored of it."""
