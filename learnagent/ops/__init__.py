"""Live figures for admins: the page `/ops/`, from stored turns, runs and model calls."""
