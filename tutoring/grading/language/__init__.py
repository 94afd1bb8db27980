"""Comparing words: synonyms, misspellings, patterns, reference answers."""
