"""Own conversations, looked back on: arranged, listed, searched, saved as files."""
