"""Signing in: passwords, sessions, tokens, one-time links, rate limits of tries."""
