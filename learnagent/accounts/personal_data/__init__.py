"""A person's data: a copy of it, and its erasure from rows, files and logs."""
