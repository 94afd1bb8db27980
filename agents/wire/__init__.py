"""Formats at the edges: the error body, strict JSON, CSV."""
