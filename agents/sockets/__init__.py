"""The base class of WebSocket consumers: frames, and how many sockets a person may hold."""
