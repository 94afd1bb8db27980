"""Views of the learning pages, and of the posts of their cards."""
