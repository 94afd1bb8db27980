"""Two web processes and a worker on PostgreSQL and Redis: what a person may rely on, whichever process serves them."""
