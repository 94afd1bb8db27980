"""Exact parsing of messages: assertions, numbers, calculations, commands, quotations."""
