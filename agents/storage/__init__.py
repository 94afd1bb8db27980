"""Database access for runs: transactions, raw SQL, threads, the run recorder."""
