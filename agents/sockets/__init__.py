"""WebSocket consumers: the base class, frames, and limits per person."""
