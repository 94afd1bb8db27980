"""The load benchmark: a site under load, from one web process on SQLite to several on PostgreSQL and Redis."""
