"""Wiring: settings, addresses, the ASGI application, accounts."""
