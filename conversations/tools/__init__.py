"""Tools for agents that need a conversation: the library and the drawing board."""
