"""Database reads before a turn: what the rules and the roles need."""
