"""Lesson cards: their schemas, texts and rendering."""
