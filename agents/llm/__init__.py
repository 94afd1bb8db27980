"""Backends: the code that words a plan, by a language model or without one."""
