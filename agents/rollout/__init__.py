"""Feature flags and rollout: who gets what, the kill switch, cached rules."""
