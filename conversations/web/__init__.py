"""Web interface of conversations: pages, fragments, sockets and the API."""
