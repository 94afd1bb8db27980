"""Template contexts of pages and cards, made from rows and values."""
