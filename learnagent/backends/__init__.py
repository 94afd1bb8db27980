"""Backends for Django: Redis, SQLite, mail files, channel layer, file modes."""
