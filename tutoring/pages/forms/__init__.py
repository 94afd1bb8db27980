"""Forms of lessons and classes."""
