"""Pages of learning, and the posts of its cards."""
