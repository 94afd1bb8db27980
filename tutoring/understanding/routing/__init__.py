"""Which agent of the team serves a message: rules first, then a small classifier, then a model."""
