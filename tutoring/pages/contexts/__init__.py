"""Rows and values → what pages and cards show."""
