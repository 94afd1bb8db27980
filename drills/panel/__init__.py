"""Parts of the drill of the panel: its models, its data folder, and what must be true of a turn."""
