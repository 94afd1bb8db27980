"""Views of conversations."""
