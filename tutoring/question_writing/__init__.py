"""Questions that a model writes: ordered, written, solved by a checker, checked by code, and only then asked."""
