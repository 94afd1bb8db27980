"""The panel's agents, one per file."""
