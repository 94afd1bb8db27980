"""Search over messages, documents and published texts: by words, by meaning, or both."""
