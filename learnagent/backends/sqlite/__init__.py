"""Django's SQLite backend, but for the one question that it asks the database file itself."""
