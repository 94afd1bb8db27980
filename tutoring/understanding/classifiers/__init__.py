"""Trained classifiers over sentence embeddings: intents, moods, ideas, misconceptions, milestones."""
