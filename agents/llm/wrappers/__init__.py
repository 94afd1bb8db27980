"""Wrappers around a model backend, one concern each: retry, fallback, limits, circuit breaker, recording."""
