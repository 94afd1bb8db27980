"""Models that run in this process: sentence embeddings and cached inference."""
