"""Uploaded documents: receiving, storing, reading, sharing and deleting them."""
