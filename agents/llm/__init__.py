"""Model backends: they put a plan into words, with a language model or without one."""
