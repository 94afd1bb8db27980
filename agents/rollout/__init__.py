"""Feature flags and rollout: who gets a feature, the kill switch, cached rules."""
