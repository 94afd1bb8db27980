"""The words of replies that need no model: phrases, examples, rendering."""
