"""Pages, fragments, sockets and the API of conversations."""
