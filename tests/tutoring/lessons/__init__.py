"""Whole lessons, played by scripted learners through the real machinery, without a socket."""
