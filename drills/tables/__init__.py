"""Parts of the drill of the round table: its models, its client, and what must be true of a table."""
