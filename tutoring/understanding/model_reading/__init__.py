"""Reading a message with a connected model: the structured call, its schema, merging with the parsers' result."""
