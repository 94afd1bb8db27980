"""Cards of a lesson: their schemas, texts, rendering."""
