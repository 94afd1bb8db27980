"""What models cost: the ledger of calls, budgets, costs of turns, alerts."""
