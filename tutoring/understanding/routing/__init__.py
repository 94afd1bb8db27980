"""Routing of a message within the team: rules first, then a small classifier, then a model."""
