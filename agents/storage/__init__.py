"""Database access around runs: transactions, raw SQL, threads, the recorder of runs."""
