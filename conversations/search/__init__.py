"""Finding what was said, put in and published: by its words, by its meaning, or by both."""
