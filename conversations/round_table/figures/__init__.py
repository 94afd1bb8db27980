"""Figures for round tables: the metrics that are scraped, and the figures over time of a site and of a person."""
