"""Sandboxes that run programs of learners and models without access to anything."""
