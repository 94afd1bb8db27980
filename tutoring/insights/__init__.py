"""Insights: what a person's answers show about their learning. Each can be counted again from the answers it names."""
