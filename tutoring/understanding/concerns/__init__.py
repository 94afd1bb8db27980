"""Noticing statements of self-harm, abuse or danger: phrases, disguises, classifier."""
