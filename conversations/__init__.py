"""What was said: sessions, turns, messages, the page and the sockets that show them."""
