"""The agent engine: roles, graphs and runs. Takes values, emits events; it knows no conversation and no subject."""
