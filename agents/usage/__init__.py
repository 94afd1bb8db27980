"""Usage of models: the ledger of calls, budgets, costs of turns, alerts."""
