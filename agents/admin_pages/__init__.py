"""Admin pages for model calls, alerts, flags and prompts."""
