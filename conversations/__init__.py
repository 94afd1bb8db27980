"""Conversations: turns, messages, and the page and sockets that show them."""
