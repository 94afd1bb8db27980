"""Parsers of environment variables: mail, storage, models."""
