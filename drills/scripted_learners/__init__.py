"""Learners of many kinds who play lessons by scripts: what they say, how they answer, and what is counted in the replies."""
