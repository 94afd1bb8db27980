"""Data formats for clients: the error body, strict JSON, CSV."""
