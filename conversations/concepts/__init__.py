"""Concepts that a person asked about: what the analysis found in their messages, merged over all conversations."""
