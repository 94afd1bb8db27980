"""Rosters: accounts for a whole class from a file, and printed cards to sign in with."""
