"""Questions that a model writes: ordered, written, solved by a checker, judged by code, and only then asked."""
