"""One benchmark per file, found by its name; each has `run() -> Report`."""
