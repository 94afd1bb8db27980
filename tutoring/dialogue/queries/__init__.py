"""Reads of rows before a turn: what the rules and the roles must know."""
