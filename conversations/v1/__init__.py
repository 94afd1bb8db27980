"""The v1 surface: one agent answers each message, and past messages are read as pairs of message and reply."""
